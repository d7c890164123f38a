; Offers Galley under “Open with” for plain text, without taking it from the program that opens it now, and puts the
; folder of the command “galley” on the Path of whom Galley is installed for.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" ".txt" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\.txt\OpenWithList\${APP_EXECUTABLE_FILENAME}" "" ""
  !insertmacro addToPath "$INSTDIR\resources\bin"
!macroend

; It runs during an update, too, before the new version is put in place.
!macro customUnInstall
  ; The app itself has taken the links that begin so.
  DeleteRegKey HKCU "Software\Classes\galley"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\.txt\OpenWithList\${APP_EXECUTABLE_FILENAME}"
  !insertmacro removeFromPath
!macroend

; A Path may be longer than NSIS's strings, which would cut it off. So it is read, looked through and written in memory of
; its own, and never is a string here. Where anything is odd it is left as it is.
;
; While it is open: $R0 its key in the registry, $R1 the entry, $R2 its memory, $R3 what kind of value it is,
; $R4 other memory, with the Path between two ";"; $R8 0 if all is well, 2 if there is no Path.
!define MOST_OF_PATH 8000 ; cmd.exe takes no line that is longer than 8191

!macro openPath ENTRY
  Push $R0
  Push $R1
  Push $R2
  Push $R3
  Push $R4
  Push $R5
  Push $R6
  Push $R7
  Push $R8
  StrCpy $R1 "${ENTRY}"
  StrCpy $R2 0
  StrCpy $R4 0
  ${If} $installMode == "all"
    System::Call 'advapi32::RegOpenKeyExW(p -2147483646, w "SYSTEM\CurrentControlSet\Control\Session Manager\Environment", i 0, i 3, *p .R0) i .R8'
  ${Else}
    System::Call 'advapi32::RegOpenKeyExW(p -2147483647, w "Environment", i 0, i 3, *p .R0) i .R8'
  ${EndIf}
  ${If} $R8 = 0
    System::Call 'advapi32::RegQueryValueExW(p R0, w "Path", p 0, *i .R3, p 0, *i .R5) i .R8'
    ${If} $R8 = 2
      StrCpy $R3 2 ; REG_EXPAND_SZ, as Windows has it
      StrCpy $R5 0
    ${ElseIf} $R3 < 1
    ${OrIf} $R3 > 2
    ${OrIf} $R5 > 65534
      StrCpy $R8 13
    ${EndIf}
    ${If} $R8 = 0
    ${OrIf} $R8 = 2
      ; All zeros, and room for the entry, three ";" and the end.
      StrLen $R6 $R1
      IntOp $R6 $R6 * 2
      IntOp $R6 $R6 + $R5
      IntOp $R6 $R6 + 16
      System::Alloc $R6
      Pop $R2
      System::Alloc $R6
      Pop $R4
      ${If} $R8 = 0
        StrCpy $R7 $R5
        System::Call 'advapi32::RegQueryValueExW(p R0, w "Path", p 0, *i .R3, p R2, *i R7R7) i .R8'
        ; What is behind an end in the middle would be lost.
        System::Call 'kernel32::lstrlenW(p R2) i .R6'
        IntOp $R6 $R6 + 1
        IntOp $R6 $R6 * 2
        ${If} $R6 < $R7
        ${OrIf} $R7 <> $R5
          StrCpy $R8 13
        ${EndIf}
      ${EndIf}
      System::Call 'kernel32::lstrcpyW(p R4, w ";")'
      System::Call 'kernel32::lstrcatW(p R4, p R2)'
      System::Call 'kernel32::lstrcatW(p R4, w ";")'
    ${EndIf}
  ${EndIf}
!macroend

; Writes what is in the memory that FROM names; $R8 is 0 if that is done.
!macro writePath FROM
  System::Call 'kernel32::lstrlenW(p ${FROM}) i .R6'
  IntOp $R6 $R6 + 1
  IntOp $R6 $R6 * 2
  System::Call 'advapi32::RegSetValueExW(p R0, w "Path", i 0, i R3, p ${FROM}, i R6) i .R8'
  ${If} $R8 = 0
    ; Terminals that are opened from now on have it.
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=3000
  ${EndIf}
!macroend

!macro closePath
  ${If} $R2 <> 0
    System::Free $R2
    System::Free $R4
  ${EndIf}
  ${If} $R0 <> 0
    System::Call 'advapi32::RegCloseKey(p R0)'
  ${EndIf}
  Pop $R8
  Pop $R7
  Pop $R6
  Pop $R5
  Pop $R4
  Pop $R3
  Pop $R2
  Pop $R1
  Pop $R0
!macroend

; Adds the folder at the end, once, and notes that it did.
!macro addToPath FOLDER
  !insertmacro openPath "${FOLDER}"
  StrCpy $R7 0
  ${If} $R8 = 0
    System::Call 'shlwapi::StrStrIW(p R4, w ";$R1;") p .R5'
    System::Call 'shlwapi::StrStrIW(p R4, w ";$R1\;") p .R6'
    ${If} $R5 != 0
    ${OrIf} $R6 != 0
      StrCpy $R7 1 ; it is there, whoever put it there
    ${EndIf}
  ${EndIf}
  ${If} $R7 = 0
    ; In an entry these would mean something else.
    System::Call 'shlwapi::StrPBrkW(w R1, w ";%") p .R5'
    System::Call 'kernel32::lstrlenW(p R4) i .R6'
    StrLen $R7 $R1
    IntOp $R6 $R6 + $R7
    ${If} $R5 != 0
    ${OrIf} $R6 > ${MOST_OF_PATH}
      StrCpy $R8 13
    ${EndIf}
    ${If} $R8 = 0
    ${OrIf} $R8 = 2
      ; “;;” ends what has one of its own, or is empty.
      System::Call 'shlwapi::StrRChrW(p R2, p 0, i 59) p .R5'
      ${If} $R5 != 0
        System::Call 'kernel32::lstrlenW(p R5) i .R6'
      ${Else}
        System::Call 'kernel32::lstrlenW(p R2) i .R6'
        ${If} $R6 > 0
          StrCpy $R6 2
        ${EndIf}
      ${EndIf}
      ${If} $R6 > 1
        System::Call 'kernel32::lstrcatW(p R2, w ";")'
      ${EndIf}
      System::Call 'kernel32::lstrcatW(p R2, w R1)'
      !insertmacro writePath R2
    ${EndIf}
    ${If} $R8 = 0
      WriteRegStr SHELL_CONTEXT "${INSTALL_REGISTRY_KEY}" EntryOfPath "$R1"
    ${Else}
      MessageBox MB_OK|MB_ICONINFORMATION "Galley is installed. Your Path was left as it is, since it couldn’t be changed safely, so terminals don’t find the command “galley” yet. To have it, add this folder to Path in the system’s environment variables:$\r$\n$\r$\n$R1" /SD IDOK
    ${EndIf}
  ${EndIf}
  !insertmacro closePath
!macroend

; Takes away the entry that was noted, if it is there, and no other.
!macro removeFromPath
  Push $R9
  ReadRegStr $R9 SHELL_CONTEXT "${INSTALL_REGISTRY_KEY}" EntryOfPath
  ${If} $R9 != ""
    DeleteRegValue SHELL_CONTEXT "${INSTALL_REGISTRY_KEY}" EntryOfPath
    !insertmacro openPath $R9
    ${If} $R8 = 0
      System::Call 'shlwapi::StrStrIW(p R4, w ";$R1;") p .R5'
      ${If} $R5 != 0
        ; What is behind it comes to its place.
        StrLen $R6 $R1
        IntOp $R6 $R6 + 1
        IntOp $R6 $R6 * 2
        System::Int64Op $R5 + $R6
        Pop $R6
        System::Call 'kernel32::lstrlenW(p R6) i .R7'
        IntOp $R7 $R7 + 1
        IntOp $R7 $R7 * 2
        System::Call 'kernel32::RtlMoveMemory(p R5, p R6, i R7)'
        ; Without the “;” before and behind.
        System::Call 'kernel32::lstrlenW(p R4) i .R6'
        ${If} $R6 < 2
          System::Call 'advapi32::RegDeleteValueW(p R0, w "Path") i .R8'
          SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=3000
        ${Else}
          IntOp $R6 $R6 - 1
          IntOp $R6 $R6 * 2
          System::Int64Op $R4 + $R6
          Pop $R6
          System::Call '*$R6(&i2 0)'
          System::Int64Op $R4 + 2
          Pop $R7
          !insertmacro writePath R7
        ${EndIf}
      ${EndIf}
    ${EndIf}
    !insertmacro closePath
  ${EndIf}
  Pop $R9
!macroend
