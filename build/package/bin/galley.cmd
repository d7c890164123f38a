@echo off
rem The command "galley" on Windows. A window program is waited for here, unlike where it is typed.
if "%~1"=="" goto app
"%~dp0..\..\Galley.exe" %*
exit /b %ERRORLEVEL%
:app
start "" "%~dp0..\..\Galley.exe"
