public import APNS
internal import Credentials
internal import HTTP2
internal import POSIX
internal import Synchronization

extension PushClient {
  /// The broadcast channels of an app, for creating, listing and deleting them. To send to one, make
  /// a notification for it and call ``broadcast(_:deadline:)``.
  public func channels(of bundleID: BundleID) -> Channels { Channels(client: self, app: bundleID) }

  /// The broadcast channels of an app. Each request takes a connection and a thread of its own, and
  /// is made once. Cancelling the task ends the wait at once, and the request if it was not sent yet.
  public struct Channels: Sendable {
    fileprivate let client: PushClient
    fileprivate let app: BundleID

    /// Creates a channel.
    ///
    /// - Parameter policy: what it stores for devices that are offline; it cannot be changed.
    public func create(
      storing policy: StoragePolicy = .nothing
    ) async throws(ChannelError) -> ChannelID {
      guard case .created(let channel) = try await ask(.create(policy)) else { throw .strange }
      return channel
    }

    /// Returns the IDs of all channels.
    public func all() async throws(ChannelError) -> [ChannelID] {
      guard case .channels(let channels) = try await ask(.list) else { throw .strange }
      return channels
    }

    /// Returns what a channel stores; nil when Apple has added a policy since.
    public func policy(of channel: ChannelID) async throws(ChannelError) -> StoragePolicy? {
      guard case .details(let policy) = try await ask(.read(channel)) else { throw .strange }
      return policy
    }

    /// Deletes a channel for good.
    public func delete(_ channel: ChannelID) async throws(ChannelError) {
      _ = try await ask(.delete(channel))
    }
  }

  /// The reason a request about channels failed.
  public struct ChannelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The request may have been carried out: no answer came.
    public let isInDoubt: Bool
    /// The status of the answer; nil without one.
    public let status: Status?
    /// The reason in the answer; nil without one.
    public let reason: Reason?
    /// The error in one sentence.
    public let description: String

    init(_ description: String, isInDoubt: Bool = false, _ answer: Response? = nil) {
      (self.description, self.isInDoubt) = (description, isInDoubt)
      (status, reason) = (answer?.status, answer?.reason)
    }

    /// - Parameter cause: the reason, as the beginning of a sentence.
    static func inDoubt(_ cause: String) -> ChannelError {
      ChannelError("\(cause); the request may have been carried out.", isInDoubt: true)
    }

    fileprivate static let strange = ChannelError("The answer is not one that Apple documents.")
  }
}

extension PushClient.Channels {
  /// Asks on a thread of its own: the caller's must not be blocked. Cancelling the task ends the wait.
  private func ask(_ request: ChannelRequest) async throws(PushClient.ChannelError) -> ChannelReply
  {
    let (call, dispatcher) = (ChannelCall(), client.dispatcher)
    if !dispatcher.begin(call) { throw .init(Obstacle.closed.description) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        call.wait(waiter)
        let isStarted = Thread.start {
          call.end(
            ChannelCall.Answer { () throws(PushClient.ChannelError) in
              try answer(to: request, call)
            })
          dispatcher.ended(call)
        }
        if isStarted { return }
        call.withdraw(.system)
        dispatcher.ended(call)
      }
    } onCancel: {
      call.withdraw(.cancelled)
    }
    return try result.get()
  }

  private func answer(
    to request: ChannelRequest, _ call: ChannelCall
  ) throws(PushClient.ChannelError) -> ChannelReply {
    let credentials = client.dispatcher.state.withLock { $0.credentials.push }
    let (environment, options) = (client.environment, client.dispatcher.options)
    let target = environment.target(environment.management, options)
    let clock = client.dispatcher.clock
    let (token, conversation): (ProviderToken?, Conversation)
    do {
      token = try credentials.token()
      var patient = target
      patient.timeoutMilliseconds = options.timeout.milliseconds
      let link = try Dialer.dial(target, identity: credentials.identity)
      conversation = Conversation(link, patient, clock)
    } catch {
      throw .init("The request was not sent. \(sentence(of: error))")
    }
    defer { conversation.close() }
    guard call.mayGo() else { throw .init(Obstacle.cancelled.description) }
    let attempt = ChannelAttempt(
      request, of: app, over: conversation, to: target, APNSID(random: clock), token)
    switch attempt {
    case .answered(_, let reply?): return reply
    case .answered(let response, nil):
      throw .init("The request was refused with \(response.inWords)", response)
    case .notDialed, .notProcessed:
      throw .init("The server did not take the request. Send it again.")
    case .inDoubt:
      throw .inDoubt("No answer came")
    }
  }
}
