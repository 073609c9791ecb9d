internal import APNS
internal import History
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs
internal import Settings

/// Requests as curl commands. The history stores no provider tokens or certificates: the commands
/// take them from shell variables.
struct CurlExport: PushExport {
  let needsRequest = true
  let tail: [UInt8] = []

  let head = Array(
    """
    # curl commands (curl needs HTTP/2) that send pushes of fanfare's history again. They read
    # FANFARE_PROVIDER_TOKEN: export FANFARE_PROVIDER_TOKEN="$(fanfare token)"
    # or, for runs with a client certificate, FANFARE_CERT: the path of a PEM file with its key.
    # Pushes to the built-in emulator go to another one: FANFARE_SERVER (its URL), FANFARE_CA.

    """.utf8)

  func bytes(of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?) -> [UInt8] {
    request.map { Array(CurlCommand(push: push, stored: stored, request: $0).text.utf8) } ?? []
  }
}

/// A push as a curl command, or as a comment that says why there is none.
struct CurlCommand {
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
    let lines =
      ["curl --http2 --include"] + roots + [signature]
      + [unsent] + request.fields.map { "-H " + shellQuoted(field($0)) }
      + ["--data-binary " + shellQuoted(String(decoding: payload, as: UTF8.self)), url]
    return lines.filter { !$0.isEmpty }.joined(separator: " \\\n  ")
  }

  /// Options that remove headers curl would add and fanfare did not send.
  private var unsent: String {
    ["user-agent", "accept", "content-type"].filter { name in
      !request.fields.contains { $0.name == name }
    }.map { "-H \($0):" }.joined(separator: " ")
  }

  private func field(_ field: (name: String, value: String)) -> String {
    field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
  }

  private var signature: String {
    stored.usesCertificate
      ? #"--cert "$FANFARE_CERT""# : #"-H "authorization: bearer $FANFARE_PROVIDER_TOKEN""#
  }

  /// The emulator that `send` started is gone; the command needs another server.
  private var url: String {
    if stored.entry.record.server == nil {
      // A bundle ID sent with `--force` can be any text.
      return "\"$FANFARE_SERVER\"" + shellQuoted(stored.path(of: push))
    }
    return shellQuoted(stored.url(of: push))
  }

  private var roots: [String] {
    if stored.entry.record.server == nil { return [#"--cacert "$FANFARE_CA""#] }
    return stored.roots.map { ["--cacert " + shellWord($0)] } ?? []
  }
}

extension StoredRun {
  /// The absolute path of the run's CA file; nil if it had none.
  fileprivate var roots: String? {
    guard let settings, let path = settings.settings.ca?.value else { return nil }
    return path.hasPrefix("/") ? path : "\(settings.folder)/\(path)"
  }
}
