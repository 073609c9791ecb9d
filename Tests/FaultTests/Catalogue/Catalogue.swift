extension FaultRow {
  /// The whole catalogue, in the order of its numbers.
  static let all: [FaultRow] = [
    connectionEnds, streams, refusals, network, credentials, lists, processes, histories, windows,
    silence,
    oddAnswers, hostility, files,
  ].flatMap(\.self).sorted { $0.number < $1.number }
}
