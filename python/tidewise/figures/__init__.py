"""One module a figure; `frame`, `layers`, `palette` and `page` are what they share."""
