autocmd BufRead,BufNewFile *.tsa setfiletype tsa
