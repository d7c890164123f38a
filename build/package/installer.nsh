; Offers Galley under “Open with” for plain text, without taking it from the program that opens it now.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" ".txt" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\.txt\OpenWithList\${APP_EXECUTABLE_FILENAME}" "" ""
!macroend

!macro customUnInstall
  ; The app itself has taken the links that begin so.
  DeleteRegKey HKCU "Software\Classes\galley"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\.txt\OpenWithList\${APP_EXECUTABLE_FILENAME}"
!macroend
