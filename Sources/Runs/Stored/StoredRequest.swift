internal import APNS
package import History
internal import JSONText
internal import PushModel
package import Reporting
package import SQLHistory
package import Settings

/// The request of a push in the history, as far as known.
package struct StoredRequest {
  /// The body of the request.
  package enum Body {
    case payload([UInt8])
    /// The row that filled the template can no longer be read: the reason, and the template.
    case lost(Failure, template: [UInt8])
  }

  /// The header fields, including the one that identifies the push, without `authorization`.
  package let fields: [(name: String, value: String)]
  package let body: Body
  /// The reasons no request was made, in sentences; empty if there was one.
  package private(set) var skipped: [String] = []

  init(of push: PushEntry, in stored: StoredRun, body: Body, skippedFor skipped: [String] = []) {
    fields = stored.fields + [(stored.idHeader.text, push.apnsID.description)]
    self.body = body
    self.skipped = skipped
  }

  package init(
    of push: PushEntry, in stored: StoredRun, _ history: HistoryReader, _ context: Context
  ) throws(Failure) {
    var payloads = try RowPayloads(of: stored, in: history, context)
    self.init(of: push, in: stored, body: payloads.body(of: push, in: stored))
    skipped =
      try stored.skippedBefore(push, history) ?? payloads.skippedCause(of: push, in: stored) ?? []
  }
}

/// The requests of pushes. Ask run by run, and in the order of their numbers.
package struct StoredRequests {
  private let history: HistoryReader
  private let context: Context
  private var run: RunNumber?
  private var payloads: Result<RowPayloads, Failure> = .failure(.damagedRun)

  package init(in history: HistoryReader, _ context: Context) {
    (self.history, self.context) = (history, context)
  }

  package mutating func request(of push: PushEntry, in stored: StoredRun) -> StoredRequest {
    if run != push.run {
      run = push.run
      payloads = Result { [history, context] () throws(Failure) in
        try RowPayloads(of: stored, in: history, context)
      }
    }
    return StoredRequest(
      of: push, in: stored, body: body(of: push, in: stored),
      skippedFor: push.wasNeverSent ? skippedFor(push, in: stored) : [])
  }

  private mutating func skippedFor(_ push: PushEntry, in stored: StoredRun) -> [String] {
    if let before = (try? stored.skippedBefore(push, history)) ?? nil { return before }
    guard case .success(var rows) = payloads else { return [] }
    defer { payloads = .success(rows) }
    return rows.skippedCause(of: push, in: stored) ?? []
  }

  private mutating func body(of push: PushEntry, in stored: StoredRun) -> StoredRequest.Body {
    switch payloads {
    case .failure(let failure): return .lost(failure, template: stored.payload)
    case .success(var rows):
      defer { payloads = .success(rows) }
      return rows.body(of: push, in: stored)
    }
  }
}

extension RowPayloads {
  /// The body of a push. Ask for pushes in the order of their numbers.
  fileprivate mutating func body(
    of push: PushEntry, in stored: StoredRun
  ) -> StoredRequest.Body {
    do throws(Failure) {
      return .payload(try payload(of: push))
    } catch {
      return .lost(error, template: stored.payload)
    }
  }
}

extension PushEntry {
  /// Its row broke a rule, so no request was made.
  package var wasNeverSent: Bool { outcome == .skipped && attempts == 0 }

  /// A request may have been made: the process that claimed an unknown push may have been killed
  /// before counting the attempt.
  package var mayHaveBeenSent: Bool { attempts > 0 || outcome == .unknown }
}

extension Response {
  /// The body as far as the history keeps it; empty if the answer has no reason.
  package var body: String {
    guard let reason else { return "" }
    let name = JSON.text(reason.rawValue).encodedString()
    return timestamp.map { #"{"reason":\#(name),"timestamp":\#($0)}"# } ?? #"{"reason":\#(name)}"#
  }
}
