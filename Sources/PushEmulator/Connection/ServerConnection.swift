internal import HTTP2
internal import Synchronization

/// One client's connection, from its first stream to its end. It belongs to one thread;
/// ``ConnectionLoop`` moves its bytes.
final class ServerConnection {
  /// The way to drop the connection; nil as long as it goes on.
  var drop: Drop?

  let number: Int
  let context: ConnectionContext
  let session: ServerSession
  let authentication: ClientAuthentication
  /// The emulator's behavior as of the last check.
  private(set) var behavior: Behavior
  var state: ConnectionState
  /// The plan of changes it makes by itself; nil for none.
  var plan: ConnectionPlan?
  var tokens: TokenCache
  var check: RequestCheck
  var identifiers = UUIDGenerator()
  var date = DateField()
  /// The highest stream answered or processed.
  var highestAnswered: Int32 = 0
  /// The last stream that GOAWAY covers; nil before it is sent.
  var lastStream: Int32?
  /// Keeps the connection open after GOAWAY when everything is answered.
  var staysOpen = false
  /// The action after the cut of the current answer.
  var aftermath: CustomAnswer.Aftermath?
  var freeze: Freeze?
  /// The effects to come, in milliseconds of `uptime`.
  var timetable = Timetable<Int64, ConnectionEffect>()
  /// The entries still missing from the journal.
  var unwritten: [ReceivedPush] = []
  /// The headers of the last request that was kept.
  var head: ReceivedHead?
  let desk: OrderQueue
  /// The notices already given to the emulator's owner.
  var (hasToldOfRefusals, hasToldOfToken) = (false, false)
  private(set) var now = 0.0

  /// Creates a connection after its TLS handshake.
  init(
    _ number: Int, _ context: ConnectionContext, _ authentication: ClientAuthentication,
    _ desk: OrderQueue
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

  /// Nothing more will be sent or received.
  var isFinished: Bool { !staysOpen && session.isFinished }

  /// The milliseconds until the next action without the client; nil if none is due.
  var millisecondsToWait: Int? {
    timetable.nextDue.map { max(0, Int($0 - behavior.configuration.uptime())) }
  }

  /// Processes received bytes.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
    try session.receive(bytes)
  }

  /// Performs due effects and answers complete requests. The journal has each answer before the
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

  /// Adopts the emulator's latest behavior. A request sent after a change is received later still,
  /// so the new behavior always applies to it.
  private func keepUp() {
    let latest = context.behavior
    guard latest !== behavior else { return }
    if latest.counters !== behavior.counters {
      plan = ConnectionPlan(latest.configuration.settings, latest.configuration.errorBudget)
    }
    behavior = latest
  }

  /// Sends pending data; false if there may be more.
  func send(over link: borrowing ServerTLSConnection) throws -> Bool {
    let isAllSent = try session.send(over: link)
    guard aftermath != nil, session.isCut else { return isAllSent }
    endCut()
    // After a freeze, data behind the cut is sent without waiting for the client.
    return false
  }

  /// Takes a pending freeze; nil if the connection is not to be frozen.
  func takeFreeze() -> Freeze? {
    if freeze == nil { return nil }
    defer { freeze = nil }
    return freeze
  }
}

extension EmulatorConfiguration {
  /// The contents of a connection's first SETTINGS frame.
  fileprivate func firstLimits(_ authentication: ClientAuthentication, _ plan: ConnectionPlan?)
    -> Announcement
  {
    let limit = authentication == .providerToken ? initialStreamLimit : maxConcurrentStreams
    let usual = Announcement(maxConcurrentStreams: limit)
    return plan?.announcement(at: .start, else: usual) ?? usual
  }
}
