/// The columns of `results`, and of `pushes`, which has them as well.
enum ResultColumn: String, CaseIterable {
  case id, token, list, line, outcome, status, reason, attempts, deferrals, pass, latency, at
  case timestamp
  case uniqueID = "unique_id"
  case registered, resent

  static let all = Array(allCases)
}
