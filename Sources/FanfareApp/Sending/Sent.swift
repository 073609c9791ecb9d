internal import APNS
internal import Delivery

/// What a sending leaves behind, to be told and written down.
struct Sent {
  /// What became of the pushes.
  let report: Run.Report
  /// Where it went, and its books.
  let delivery: RunDelivery
  /// What the requests showed, for the cause of a refusal.
  let facts: RequestFacts
  /// The environments that were asked; nil when it was known where to send.
  var search: EnvironmentSearch?
}
