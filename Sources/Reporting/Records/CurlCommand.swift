/// A push as a curl command that sends it. Provider token or certificate come from shell variables.
package struct CurlCommand {
  /// The server's URL; nil for an emulator that runs only while fanfare does.
  package let server: String?
  /// The path, with the whole device token.
  package let path: String
  /// The header fields, without `authorization`.
  package let fields: [(name: String, value: String)]
  package let payload: [UInt8]
  package let usesCertificate: Bool
  /// The CA file; nil for none.
  package let roots: String?

  package init(
    server: String?, path: String, fields: [(name: String, value: String)], payload: [UInt8],
    usesCertificate: Bool, roots: String?
  ) {
    (self.server, self.path, self.fields, self.payload) = (server, path, fields, payload)
    (self.usesCertificate, self.roots) = (usesCertificate, roots)
  }

  /// The comment above commands.
  ///
  /// - Parameters:
  ///   - purpose: ends a sentence that begins with "curl commands (curl needs HTTP/2)".
  ///   - toEmulator: some may go to an emulator that runs only while fanfare does.
  package static func head(_ purpose: String, toEmulator: Bool) -> String {
    """
    # curl commands (curl needs HTTP/2) \(purpose). They read
    # FANFARE_PROVIDER_TOKEN: export FANFARE_PROVIDER_TOKEN="$(fanfare token)"
    # or, with a client certificate, FANFARE_CERT: the path of a PEM file with its key.

    """ + (toEmulator ? emulatorLine : "")
  }

  private static let emulatorLine =
    "# Pushes to the built-in emulator go to another one: FANFARE_SERVER (its URL), FANFARE_CA.\n"

  /// The command, over several lines, without a line feed at the end.
  package var text: String {
    let lines =
      ["curl --http2 --include", cacert, signature, unsent]
      + fields.map { "-H " + shellQuoted(field($0)) }
      + ["--data-binary " + shellQuoted(String(decoding: payload, as: UTF8.self)), url]
    return lines.filter { !$0.isEmpty }.joined(separator: " \\\n  ")
  }

  /// Options that remove headers curl would add and fanfare does not send.
  private var unsent: String {
    ["user-agent", "accept", "content-type"].filter { name in
      !fields.contains { $0.name == name }
    }.map { "-H \($0):" }.joined(separator: " ")
  }

  private func field(_ field: (name: String, value: String)) -> String {
    field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
  }

  private var signature: String {
    usesCertificate
      ? #"--cert "$FANFARE_CERT""# : #"-H "authorization: bearer $FANFARE_PROVIDER_TOKEN""#
  }

  private var url: String {
    // A bundle ID sent with `--force` can be any text.
    server.map { shellQuoted($0 + path) } ?? "\"$FANFARE_SERVER\"" + shellQuoted(path)
  }

  private var cacert: String {
    if server == nil { return #"--cacert "$FANFARE_CA""# }
    return roots.map { "--cacert " + shellWord($0) } ?? ""
  }
}
