/// What must be so after a fault, whatever the fault.
enum PassCode: String, Sendable, CaseIterable {
  case exactlyOnce = "P1"
  case atLeastOnce = "P2"
  case nothingSent = "P3"
  case boundedEnd = "P4"

  /// What it asks for: the legend of the document.
  var meaning: String {
    switch self {
    case .exactlyOnce:
      """
      Exactly once: the server processed each push once, and exactly those that it answered with 200 \
      are accepted.
      """
    case .atLeastOnce:
      """
      At least once: nobody is lost. What was processed twice is in the ledger with more than one \
      attempt, as resent in doubt, under one apns-id, and is no more than was in flight.
      """
    case .nothingSent:
      "Nothing was sent, and the run's end names the cause."
    case .boundedEnd:
      """
      A bounded end: the rest is deferred or not attempted, and resuming on a good day finishes it \
      under P1 or P2.
      """
    }
  }
}
