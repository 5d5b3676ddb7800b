" :compiler for check: copy it to compiler/dsd.vim, then :compiler dsd and :make.
if exists("current_compiler")
  finish
endif
let current_compiler = "dsd"
CompilerSet makeprg=check\ --format\ text\ ./...
CompilerSet errorformat=%f:%l:%c:\ %m,%-G%.%#
