import Foundation
import PushEmulator
import TestSupport
import Testing

/// What `curl` saw: a client that shares no code with ours.
struct CurlAnswer {
  var exitCode: Int32?
  var status: Int
  var reason: String?
  /// Names in lower case.
  var headers: [String: String]
  var errors: String
}

/// Sends a push with `curl`.
///
/// - Parameters:
///   - arguments: more of `curl`'s options.
///   - fields: the request's headers; nil leaves one out of the usual ones.
func curl(
  _ emulator: Emulator, url: String? = nil, path: String = "/3/device/" + RequestSample.deviceToken,
  _ arguments: [String] = [],
  certificate: PushCertificate? = nil, fields: [String: String?] = [:], in folder: TemporaryFolder
) throws -> CurlAnswer {
  try folder.write("ca.pem", emulator.certificateAuthorityPEM)
  let usual: [String: String?] = [
    "apns-topic": "com.example.shop", "apns-push-type": "alert",
  ]
  let headers = usual.merging(fields) { $1 }.flatMap { name, value in
    value.map { ["-H", "\(name): \($0)"] } ?? []
  }
  let identity = certificate.map { ["--cert", $0.certificatePath, "--key", $0.keyPath] } ?? []
  let place = (url ?? emulator.url) + path
  let result = try run(
    "curl",
    ["-sS", "--http2", "--max-time", "20", "--noproxy", "", "--cacert", "ca.pem", "-D", "headers"]
      + ["-d", #"{"aps":{"alert":"Hello"}}"#] + headers + identity + arguments + [place],
    in: folder)
  return CurlAnswer(result, headers: (try? folder.text("headers")) ?? "")
}

extension CurlAnswer {
  fileprivate init(_ result: Program.Result, headers text: String) {
    // The last answer's headers: a proxy's own come before them.
    let lines =
      text.components(separatedBy: "\r\n\r\n").last { !$0.isEmpty }?
      .components(separatedBy: "\r\n") ?? []
    let rows = lines.dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].dropFirst()))
    }
    exitCode = result.exitCode
    status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    headers = Dictionary(rows) { $1 }
    reason = result.output.split(separator: "\"").dropFirst(3).first.map(String.init)
    errors = result.errors
  }
}
