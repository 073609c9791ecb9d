internal import HTTP2

/// What the steps so far have found out. The steps themselves are in the extensions.
struct DiagnosisKnowledge {
  typealias Sight = DiagnosisCheck.Sight

  /// What one address and port said.
  struct Probe: Sendable {
    let address: HostAddress
    let port: UInt16
    let result: Result<Int, TCPProbe.Failure>
  }

  let plan: DiagnosisPlan

  /// The host's addresses that are worth a try.
  var candidates: [HostAddress] = []

  /// What became of each try.
  var probes: [Probe] = []

  /// The link, once it was asked for.
  var dialed: Result<Conversation, DialError>?

  /// What the client certificate is shown with; nil without one.
  var identity: ClientIdentity?

  /// How far this machine's clock is ahead of the server's; nil before an answer with a date.
  var clockOffset: Int64?

  /// Whether there was an answer.
  var isAnswered = false

  init(_ plan: DiagnosisPlan) { self.plan = plan }

  /// The longest wait of each step.
  var limit: Int { max(1, plan.target.timeoutMilliseconds) }

  /// Says goodbye to the server.
  func close() {
    if case .success(let conversation)? = dialed { conversation.close() }
  }
}
