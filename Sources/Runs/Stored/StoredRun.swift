package import APNS
package import History
internal import JSONText
internal import PushModel
internal import Reporting
package import SQLHistory
package import Settings

/// A run of the history as sent: everything that its pushes have in common.
package struct StoredRun {
  package let entry: RunEntry
  /// The run's options, for display only: code that sends reads them again with their origin. Nil
  /// if they are not in this version's form.
  package let settings: RunInputs?
  /// The header fields of every push in sending order, without `apns-id` and `authorization`.
  package let fields: [(name: String, value: String)]

  package init(_ entry: RunEntry) {
    self.entry = entry
    settings = RunInputs(json: entry.record.settings, from: .storedRun)
    let headers = try? JSONReader().read(Array(entry.record.headers.utf8))
    fields =
      headers?.object?.members.compactMap { member in
        member.value.string.map { (member.key, $0) }
      } ?? []
  }

  /// Rows of lists filled placeholders in the payload.
  package var isTemplate: Bool { settings?.isTemplate ?? false }

  /// A client certificate was used instead of a provider token.
  package var usesCertificate: Bool { settings?.settings.certificate != nil }

  /// The files of its lists, or their copies, and those of the runs that it resends: a command that
  /// takes the run up writes to none of them.
  package func listFiles(in history: HistoryReader, _ context: Context) -> [String] {
    ancestry(in: history).flatMap { run in
      let copies = ListCopies(of: run.entry, in: history, context)
      return run.settings.map { copies.files(of: $0) } ?? []
    }
  }

  /// The run, and those that it resends, the oldest last.
  func ancestry(in history: HistoryReader) -> [StoredRun] {
    var runs = [self]
    var run = self
    while let resent = run.entry.record.resends, resent < run.entry.run,
      let older = try? history.storedRun(resent)
    {
      run = older
      runs.append(run)
    }
    return runs
  }

  /// The payload of all pushes, or the template that each was rendered from.
  package var payload: [UInt8] { Array(entry.record.payload.utf8) }

  /// The server's URL without a trailing slash. The port of a built-in emulator is not known.
  var server: String { entry.record.server ?? "https://127.0.0.1" }

  /// The URL of a push.
  ///
  /// - Parameter showsToken: includes the device token in full.
  package func url(of push: PushEntry, showsToken: Bool = true) -> String {
    server + path(of: push, showsToken: showsToken)
  }

  /// The path of a push.
  package func path(of push: PushEntry, showsToken: Bool = true) -> String {
    Draft(target: entry.record.target).path + (showsToken ? push.token : shortToken(push.token))
  }

  /// The header that identifies each push.
  package var idHeader: HeaderName { entry.record.target.idHeader }

  /// The facts about its requests that explain a refusal.
  ///
  /// - Parameter push: one of its pushes; nil for any.
  package func facts(of push: PushEntry? = nil) -> RequestFacts {
    let environment = PushEnvironment.named.first { $0.name == entry.record.environment }
    return RequestFacts(
      service: .init(environment ?? .emulator), isBroadcast: entry.record.channel != nil,
      pushType: entry.record.pushType.flatMap { PushType(rawValue: $0) },
      topic: entry.record.topic, tokenDigits: push?.token.utf8.count ?? 0, providerTokenAge: nil)
  }
}
