internal import APNS
internal import PushCore

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

  init(
    of push: PushEntry, in stored: StoredRun, _ history: HistoryReader
  ) throws(Failure) {
    fields = stored.fields + [("apns-id", push.apnsID.description)]
    var payloads = try RowPayloads(of: stored, in: history)
    do throws(Failure) {
      body = .payload(try payloads.payload(of: push))
    } catch {
      body = .lost(error, template: stored.payload)
    }
  }
}
