internal import APNS
internal import History

/// The request of a push of the history, as far as it is known.
struct StoredRequest {
  /// What went out as the body.
  enum Body {
    case payload([UInt8])
    /// The row that filled the template cannot be read any more: why, and the template.
    case lost(Failure, template: [UInt8])
  }

  /// The header fields, with `apns-id` and without `authorization`.
  let fields: [(name: String, value: String)]
  let body: Body
  /// Why there never was a request; nil when there was one, and when that was not asked.
  private(set) var skipped: SkippedCause?

  init(of push: PushEntry, in stored: StoredRun, body: Body) {
    fields = stored.fields + [("apns-id", push.apnsID.description)]
    self.body = body
  }

  init(
    of push: PushEntry, in stored: StoredRun, _ history: any HistoryStore
  ) throws(Failure) {
    var payloads = try RowPayloads(of: stored, in: history)
    self.init(of: push, in: stored, body: payloads.body(of: push, in: stored))
    skipped =
      try stored.skippedBefore(push, history) ?? payloads.skippedCause(of: push, in: stored)
  }
}

extension RowPayloads {
  /// The body of a push. Those asked for must come in the order of their numbers.
  mutating func body(of push: PushEntry, in stored: StoredRun) -> StoredRequest.Body {
    do throws(Failure) {
      return .payload(try payload(of: push))
    } catch {
      return .lost(error, template: stored.payload)
    }
  }
}
