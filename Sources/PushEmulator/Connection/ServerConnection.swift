internal import APNS
internal import HTTP2
internal import Synchronization

/// One client's connection, from its first stream to its end. It belongs to one thread; `serve`
/// moves its bytes.
final class ServerConnection {
  /// How the connection is to be dropped; nil while it is not.
  var drop: Drop?

  let number: Int
  let context: ConnectionContext
  let session: ServerSession
  let authentication: ClientAuthentication
  /// How the emulator behaved when it was last asked.
  private(set) var behavior: Behavior
  var state: ConnectionState
  /// What it does on its own account; nil for nothing.
  var plan: ConnectionPlan?
  var tokens: TokenCache
  var check: RequestCheck
  var identifiers = IdentifierSource()
  var date = DateField()
  /// The highest stream that was answered or processed.
  var highestAnswered: Int32 = 0
  /// The last stream that GOAWAY covers; nil before it was sent.
  var lastStream: Int32?
  /// Whether it stays open after GOAWAY when everything is answered.
  var staysOpen = false
  /// What is to be done when the answer that is cut is cut.
  var aftermath: CustomAnswer.Aftermath?
  var freeze: Freeze?
  /// Times are in milliseconds of `uptime`.
  var timetable = Timetable<Int64, Effect>()
  /// What is not yet in the journal.
  var unwritten: [ReceivedPush] = []
  /// The headers of the last request that was kept.
  var head: RequestHead?
  let desk: OrderDesk
  /// What the emulator's owner has been told of.
  var (hasToldOfRefusals, hasToldOfToken) = (false, false)
  private(set) var now = 0.0

  /// A connection whose TLS handshake is done.
  init(
    _ number: Int, _ context: ConnectionContext, _ authentication: ClientAuthentication,
    _ desk: OrderDesk
  ) throws(SessionError) {
    self.desk = desk
    behavior = context.behavior
    let configuration = behavior.configuration
    self.number = number
    self.context = context
    self.authentication = authentication
    plan = ConnectionPlan(configuration.settings, configuration.errorBudget)
    let limits = configuration.firstLimits(authentication, plan)
    session = try ServerSession(
      maxConcurrentStreams: limits.maxConcurrentStreams,
      initialWindowSize: limits.initialWindowSize, options: configuration.serverOptions)
    state = ConnectionState(
      times: .init(tolerance: configuration.clockTolerance),
      raisedLimit: configuration.maxConcurrentStreams, environment: configuration.environment)
    tokens = TokenCache(context.verifier)
    check = RequestCheck(
      authentication: authentication.method, topics: authentication.topics,
      environment: configuration.environment, channels: context.channels)
    if let bytes = limits.windowIncrement { session.enlargeWindow(by: bytes) }
    try carryOut(plan?.laterSteps(after: .start) ?? [], at: 0)
  }

  /// Whether nothing will be sent or received any more.
  var isFinished: Bool { !staysOpen && session.isFinished }

  /// In how many milliseconds something is to be done without the client; nil when nothing is.
  var millisecondsToWait: Int? {
    timetable.nextDue.map { max(0, Int($0 - behavior.configuration.uptime())) }
  }

  /// Takes bytes that arrived.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
    try session.receive(bytes)
  }

  /// Does what is due, and answers what has become complete. The journal has the answers before the
  /// client does.
  func answerRequests() throws {
    keepUp()
    now = behavior.configuration.time
    if behavior.configuration.sendsDate { date.update(to: now) }
    defer { context.journal.write(&unwritten) }
    if !timetable.isEmpty { try doWhatIsDue() }
    try obeyOrders()
    try session.takeRequests(answer)
    recordRefusals()
  }

  /// Goes by what the emulator was told since the last time. What a client sends after that was told
  /// is read later still.
  private func keepUp() {
    let latest = context.behavior
    guard latest !== behavior else { return }
    if latest.counters !== behavior.counters {
      plan = ConnectionPlan(latest.configuration.settings, latest.configuration.errorBudget)
    }
    behavior = latest
  }

  /// Sends what there is to send; false when there may be more.
  func send(over link: borrowing ServerTLSConnection) throws -> Bool {
    let isAllSent = try session.send(over: link)
    guard aftermath != nil, session.isCut else { return isAllSent }
    endCut()
    // What waited behind the cut goes out after a freeze, without a word from the client.
    return false
  }

  /// Tells, once, how long to do nothing; nil when the connection is not frozen.
  func takeFreeze() -> Freeze? {
    if freeze == nil { return nil }
    defer { freeze = nil }
    return freeze
  }
}

extension EmulatorConfiguration {
  /// What a connection's first SETTINGS frame says.
  fileprivate func firstLimits(_ authentication: ClientAuthentication, _ plan: ConnectionPlan?)
    -> Announcement
  {
    let limit = authentication == .providerToken ? initialStreamLimit : maxConcurrentStreams
    let usual = Announcement(maxConcurrentStreams: limit)
    return plan?.announcement(at: .start, else: usual) ?? usual
  }
}
