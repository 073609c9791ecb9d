import Fanfare

// The code of the article Adapters, against the declarations in StandIns.swift.

extension PushClient.Event {
  /// Writes the event: troubles as warnings, all others for debugging.
  func log(to logger: Logger) {
    switch self {
    case .connectionOpened: logger.debug("connection opened")
    case .connectionClosed(let reason?):
      logger.warning("connection closed", metadata: ["reason": "\(reason)"])
    case .connectionClosed(nil): logger.debug("connection closed")
    case .providerTokenReplaced: logger.debug("provider token replaced")
    case .resent(let token, let status, let reason):
      let cause = reason?.description ?? status.map { "HTTP \($0)" } ?? "no answer"
      logger.info(
        "sent again", metadata: ["token": "\(token?.description ?? "")", "cause": "\(cause)"])
    case .stopped(let obstacle, let topic):
      logger.error(
        "pushes are kept back", metadata: ["topic": "\(topic ?? "all")", "why": "\(obstacle)"])
    case .ended(let ended):
      let level: Logger.Level = ended.result.outcome == .accepted ? .debug : .info
      let id = ended.result.apnsID ?? ""
      logger.log(level: level, "\(ended.result)", metadata: ["apns-id": "\(id)"])
    case .dropped(let count): logger.warning("\(count) events were dropped")
    @unknown default: logger.debug("\(self)")
    }
  }
}

extension PushClient.Event {
  /// Counts the event, and times a push by its outcome, reason, push type and topic.
  func record() {
    switch self {
    case .connectionOpened: Counter(label: "push_connections_opened").increment()
    case .connectionClosed: Counter(label: "push_connections_closed").increment()
    case .providerTokenReplaced: Counter(label: "push_provider_tokens").increment()
    case .resent: Counter(label: "push_resends").increment()
    case .stopped: Counter(label: "push_stops").increment()
    case .dropped(let count): Counter(label: "push_events_dropped").increment(by: count)
    case .ended(let ended):
      Counter(label: "pushes", dimensions: ended.labels).increment()
      guard let duration = ended.duration else { return }
      let (seconds, attoseconds) = duration.components
      Timer(label: "push_duration", dimensions: ended.labels)
        .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    @unknown default: break
    }
  }
}

/// A client as a service: when the group shuts down, what was taken is still sent.
struct PushService: Service {
  let client: PushClient

  func run() async throws {
    await cancelWhenGracefulShutdown { await client.run() }
  }
}

func attached(_ credentials: PushClient.Credentials, _ logger: Logger) -> PushClient {
  PushClient(credentials: credentials, environment: .production) {
    $0.log(to: logger)
    $0.record()
  }
}
