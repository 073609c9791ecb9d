internal import HTTP2

/// The results of the steps so far. The steps themselves are in extensions.
struct DiagnosisKnowledge {
  typealias Sight = DiagnosisCheck.Sight

  /// The result of connecting to one address and port.
  struct Probe: Sendable {
    let address: HostAddress
    let port: UInt16
    let result: Result<Int, TCPProbe.Failure>
  }

  let plan: DiagnosisPlan

  /// The addresses of the host that are worth trying.
  var candidates: [HostAddress] = []

  /// The result for each address and port tried.
  var probes: [Probe] = []

  /// The result of dialing; nil before the first use.
  var dialed: Result<Conversation, DialError>?

  /// The TLS identity made from the client certificate; nil without one.
  var identity: ClientIdentity?

  /// The seconds this clock is ahead of the server's; nil before an answer with a date.
  var clockOffset: Int64?

  /// An answer has arrived.
  var isAnswered = false

  init(_ plan: DiagnosisPlan) { self.plan = plan }

  /// The longest wait of each step, in milliseconds.
  var limit: Int { max(1, plan.target.timeoutMilliseconds) }

  /// Closes the connection, if it was opened.
  func close() {
    if case .success(let conversation)? = dialed { conversation.close() }
  }
}
