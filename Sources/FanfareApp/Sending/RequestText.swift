internal import APNS
internal import JSONText
internal import PlainText
internal import PushModel

/// A request as `--dry-run` prints it: complete but for the provider token, which is not shown.
struct RequestText {
  let environment: PushEnvironment
  let fields: [HeaderField]
  /// What each push carries; nil when each has a payload of its own.
  let payload: Payload?
  let showsTokens: Bool
  /// The common name of the client certificate; nil when a provider token is used.
  let certificate: String?

  /// The request as it would go out, in the manner of HTTP/1.1, which people read more easily.
  func text(_ push: Push, apnsID: APNSID) -> String {
    var lines = ["POST /3/device/\(token(push)) HTTP/2", "host: \(host)"]
    lines.append(
      certificate.map { "(client certificate: \($0.printable))" }
        ?? "authorization: bearer (not shown)")
    lines += fields.map { "\($0.name): \($0.value)" }
    lines += ["apns-id: \(apnsID)", "", String(decoding: bytes(of: push), as: UTF8.self), "", ""]
    return lines.joined(separator: "\n")
  }

  /// The request as one line of JSON.
  func json(_ push: Push, apnsID: APNSID) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("method", "POST")
    json.member("url", "https://\(host)/3/device/\(token(push))")
    json.key("headers")
    json.beginObject()
    for field in fields { json.member(field.name.text, field.value) }
    json.member("apns-id", apnsID.description)
    json.endObject()
    if let certificate { json.member("certificate", certificate) }
    json.key("payload")
    if let value = try? JSONReader().read(bytes(of: push)) {
      json.value(value)
    } else {
      json.null()
    }
    json.endObject()
    json.endLine()
    return json.bytes
  }

  private func bytes(of push: Push) -> [UInt8] {
    push.chunk.withPayload(at: push.index) { Array($0) } ?? payload?.bytes ?? []
  }

  private var host: String {
    environment.address.map { String($0.description.dropFirst("https://".count)) } ?? "127.0.0.1"
  }

  private func token(_ push: Push) -> String {
    showsTokens ? push.token : shortToken(push.token)
  }
}
