# Time one method of an R package: Rscript peers.R LIBRARY METHOD FOLDER MOST_RUNS.
# FOLDER holds table.csv (a header; text for discrete columns) and alpha.txt; lap.json is written there.
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[3]
seconds <- function(work) {
  started <- proc.time()
  value <- work()
  list(value = value, used = sum((proc.time() - started)[c("user.self", "sys.self")]))
}

loading <- seconds(function() suppressPackageStartupMessages(library(arguments[1], character.only = TRUE)))
rows <- read.csv(file.path(folder, "table.csv"), check.names = FALSE, stringsAsFactors = TRUE)
alpha <- scan(file.path(folder, "alpha.txt"), quiet = TRUE)
is_discrete <- is.factor(rows[[1]])

bnlearn_edges <- function(graph) {
  list(arrows = bnlearn::directed.arcs(graph), lines = bnlearn::undirected.arcs(graph))
}
pcalg_edges <- function(fitted) {
  marks <- as(fitted, "amat") # marks[i, j] == 1 and marks[j, i] == 0: j -> i
  joined <- which(marks != 0, arr.ind = TRUE)
  is_line <- marks[joined[, 2:1, drop = FALSE]] != 0
  named <- cbind(colnames(rows)[joined[, 2]], colnames(rows)[joined[, 1]])
  list(arrows = named[!is_line, , drop = FALSE], lines = named[is_line, , drop = FALSE])
}
pcalg_pc <- function() {
  if (is_discrete) {
    codes <- data.matrix(rows) - 1
    given <- list(dm = codes, nlev = sapply(rows, nlevels), adaptDF = TRUE)
    test <- pcalg::disCItest
  } else {
    given <- list(C = cor(rows), n = nrow(rows))
    test <- pcalg::gaussCItest
  }
  pcalg::pc(given, test, alpha, labels = colnames(rows), skel.method = "stable")
}

score <- if (is_discrete) "bic" else "bic-g"
test <- if (is_discrete) "mi-adf" else "zf"
methods <- list(
  "bnlearn hc" = list(function() bnlearn::hc(rows, score = score), bnlearn_edges),
  "bnlearn tabu" = list(function() bnlearn::tabu(rows, score = score), bnlearn_edges),
  "bnlearn pc.stable" = list(
    function() bnlearn::pc.stable(rows, test = test, alpha = alpha, undirected = FALSE), bnlearn_edges
  ),
  "pcalg pc" = list(pcalg_pc, pcalg_edges)
)
method <- methods[[paste(arguments[1:2], collapse = " ")]]

runs <- c()
while (length(runs) < as.integer(arguments[4]) && sum(runs) < 20) {
  run <- seconds(method[[1]])
  runs <- c(runs, run$used)
}

json_pairs <- function(pairs) {
  pairs <- matrix(pairs, ncol = 2)
  pairs <- pairs[!duplicated(t(apply(pairs, 1, sort))), , drop = FALSE]
  paste0("[", paste(sprintf('["%s", "%s"]', pairs[, 1], pairs[, 2]), collapse = ", "), "]")
}
edges <- method[[2]](run$value)
cat(
  sprintf(
    '{"import_s": %f, "runs": [%s], "arrows": %s, "lines": %s, "n_tests": null}\n',
    loading$used, paste(runs, collapse = ", "), json_pairs(edges$arrows), json_pairs(edges$lines)
  ),
  file = file.path(folder, "lap.json")
)
