public import APNS
internal import Credentials
internal import HTTP2
internal import POSIX
internal import Synchronization

extension PushClient {
  /// The broadcast channels of an app, for creating, listing and deleting them. To send to one, make
  /// a notification for it and call ``broadcast(_:)``.
  public func channels(of bundleID: BundleID) -> Channels { Channels(client: self, app: bundleID) }

  /// The broadcast channels of an app. Each request takes a connection of its own, and is made once.
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

    fileprivate init(_ description: String, isInDoubt: Bool = false, _ answer: Response? = nil) {
      (self.description, self.isInDoubt) = (description, isInDoubt)
      (status, reason) = (answer?.status, answer?.reason)
    }

    fileprivate static let strange = ChannelError("The answer is not one that Apple documents.")
  }
}

extension PushClient.Channels {
  /// Asks on a thread of its own: the caller's must not be blocked.
  private func ask(_ request: ChannelRequest) async throws(PushClient.ChannelError) -> ChannelReply
  {
    typealias Answer = Result<ChannelReply, PushClient.ChannelError>
    let result: Answer = await withCheckedContinuation { waiter in
      let isStarted = Thread.start {
        waiter.resume(
          returning: Answer { () throws(PushClient.ChannelError) in try answer(to: request) })
      }
      if !isStarted { waiter.resume(returning: .failure(.init(Obstacle.system.description))) }
    }
    return try result.get()
  }

  private func answer(
    to request: ChannelRequest
  ) throws(PushClient.ChannelError) -> ChannelReply {
    let (credentials, isClosed) = client.dispatcher.state.withLock { ($0.credentials, $0.isClosed) }
    if isClosed { throw .init(Obstacle.closed.description) }
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
    let attempt = ChannelAttempt(
      request, of: app, over: conversation, to: target, APNSID(random: clock), token)
    switch attempt {
    case .answered(_, let reply?): return reply
    case .answered(let response, nil):
      throw .init("The request was refused with \(response.inWords)", response)
    case .notDialed, .notProcessed:
      throw .init("The server did not take the request. Send it again.")
    case .inDoubt:
      throw .init("No answer came; the request may have been carried out.", isInDoubt: true)
    }
  }
}
