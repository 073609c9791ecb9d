internal import History
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs
internal import Settings

extension ExportFormat {
  static let curl = ExportFormat("curl", ["sh"]) { _, _ in CurlExport() }
}

/// Requests as curl commands. The history stores no provider tokens or certificates: the commands
/// take them from shell variables.
struct CurlExport: PushExport {
  let needsRequest = true
  let tail: [UInt8] = []

  let head = Array(
    CurlCommand.head("that send pushes of fanfare's history again", toEmulator: true).utf8)

  func bytes(of push: DescribedPush, in stored: StoredRun, _ request: StoredRequest?) -> [UInt8] {
    request.map {
      Array(StoredCurlCommand(push: push.entry, stored: stored, request: $0).text.utf8)
    } ?? []
  }
}

/// A push as a curl command, or as a comment that says why there is none.
struct StoredCurlCommand {
  let push: PushEntry
  let stored: StoredRun
  let request: StoredRequest

  /// The lines, after a blank line, with a line feed at the end.
  var text: String {
    let title = "\n# run \(push.run), push \(push.sequence): \(answer)\n"
    let skipped = request.skipped.joined(separator: " ").printable
    switch request.body {
    case .payload(let payload) where !push.wasNeverSent || !payload.isEmpty:
      return title + (skipped.isEmpty ? "" : "# \(skipped)\n") + command(payload) + "\n"
    case .lost(let failure, _) where !push.wasNeverSent:
      return title + "# No command: " + failure.sentence + "\n"
    case .payload, .lost:
      let why = skipped.isEmpty ? "it was never sent." : "it was never sent. \(skipped)"
      return title + "# No command: " + why + "\n"
    }
  }

  private var answer: String {
    "\(push.outcome.words)\(push.response == nil ? "" : " " + push.answer)".printable
  }

  private func command(_ payload: [UInt8]) -> String {
    CurlCommand(
      server: stored.entry.record.server, path: stored.path(of: push), fields: request.fields,
      payload: payload, usesCertificate: stored.usesCertificate, roots: stored.roots
    ).text
  }
}

extension StoredRun {
  /// The absolute path of the run's CA file; nil if it had none.
  fileprivate var roots: String? {
    guard let settings, let path = settings.settings.ca?.value else { return nil }
    return path.hasPrefix("/") ? path : "\(settings.folder)/\(path)"
  }
}
