# Time one method of an R package: Rscript peers.R LIBRARY METHOD FOLDER MOST_RUNS.
# FOLDER holds table.csv (a header; text for discrete columns), alpha.txt and penalty.txt; lap.json is written
# there, and estimate.mtx by who solves a penalised problem.
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
penalty <- scan(file.path(folder, "penalty.txt"), quiet = TRUE)
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
    given <- list(dm = codes, nlev = sapply(rows, nlevels), adaptDF = TRUE)
    test <- pcalg::disCItest
  } else {
    given <- list(C = cor(rows), n = nrow(rows))
    test <- pcalg::gaussCItest
  }
  pcalg::pc(given, test, alpha, labels = colnames(rows), skel.method = "stable")
}

codes <- data.matrix(rows) - 1
signs <- 2 * codes - 1
standardised <- if (is_discrete) NULL else scale(data.matrix(rows)) * sqrt(nrow(rows) / (nrow(rows) - 1))
correlation <- if (arguments[1] == "glasso") cor(rows) else NULL

# Row by row the regression of each column on the others, the intercept last.
each_node <- function(columns, outcomes, penalty, ...) {
  found <- matrix(0, ncol(columns), ncol(columns) + 1)
  for (node in seq_len(ncol(columns))) {
    fitted <- glmnet::glmnet(
      columns[, -node], outcomes[, node], lambda = penalty, standardize = FALSE, ...
    )
    found[node, -c(node, ncol(found))] <- as.vector(fitted$beta)
    found[node, ncol(found)] <- fitted$a0
  }
  found
}
lassos <- function() {
  each_node(standardised, standardised, penalty, intercept = FALSE, thresh = 1e-10)
}
logistics <- function() {
  each_node(signs, codes, penalty / 2, family = "binomial", thresh = 1e-9)
}
precision <- function() {
  glasso::glasso(correlation, penalty, penalize.diagonal = FALSE, thr = 1e-6)$wi
}
neighbours <- function() {
  t(as.matrix(huge::huge(standardised, lambda = penalty, method = "mb", verbose = FALSE)$beta[[1]]))
}
no_edges <- function(estimate) list(arrows = character(0), lines = character(0))

score <- if (is_discrete) "bic" else "bic-g"
test <- if (is_discrete) "mi-adf" else "zf"
methods <- list(
  "bnlearn hc" = list(function() bnlearn::hc(rows, score = score), bnlearn_edges),
  "bnlearn tabu" = list(function() bnlearn::tabu(rows, score = score), bnlearn_edges),
  "bnlearn pc.stable" = list(
    function() bnlearn::pc.stable(rows, test = test, alpha = alpha, undirected = FALSE), bnlearn_edges
  ),
  "pcalg pc" = list(pcalg_pc, pcalg_edges),
  "glasso glasso" = list(precision, no_edges),
  "glmnet gaussian per node" = list(lassos, no_edges),
  "glmnet binomial per node" = list(logistics, no_edges),
  "huge mb" = list(neighbours, no_edges)
)
method <- methods[[paste(arguments[1:2], collapse = " ")]]

runs <- c()
while (length(runs) < as.integer(arguments[4]) && sum(runs) < 20) {
  run <- seconds(method[[1]])
  runs <- c(runs, run$used)
}

json_pairs <- function(pairs) {
  if (length(pairs) == 0) return("[]")
  pairs <- matrix(pairs, ncol = 2)
  pairs <- pairs[!duplicated(t(apply(pairs, 1, sort))), , drop = FALSE]
  paste0("[", paste(sprintf('["%s", "%s"]', pairs[, 1], pairs[, 2]), collapse = ", "), "]")
}
edges <- method[[2]](run$value)
if (is.matrix(run$value)) {
  estimate <- as(Matrix::Matrix(run$value, sparse = TRUE), "generalMatrix")
  Matrix::writeMM(estimate, file.path(folder, "estimate.mtx"))
}
cat(
  sprintf(
    '{"import_s": %f, "runs": [%s], "arrows": %s, "lines": %s, "n_tests": null}\n',
    loading$used, paste(runs, collapse = ", "), json_pairs(edges$arrows), json_pairs(edges$lines)
  ),
  file = file.path(folder, "lap.json")
)
