"""One module per figure; they share `frame`, `layers`, `palette` and `page`."""
