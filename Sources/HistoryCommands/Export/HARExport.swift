internal import APNS
internal import History
internal import JSONText
internal import PushModel
internal import Reporting
internal import Runs

extension ExportFormat {
  static let har = ExportFormat("har", ["har"]) { _, _ in HARExport() }
}

/// Requests and answers as an HTTP Archive, HAR 1.2. The history has no provider tokens, so
/// `authorization` is left out. As the specification requires, custom names begin with an
/// underscore.
struct HARExport: PushExport {
  let needsRequest = true
  let tail = Array("\n]}}\n".utf8)
  private var isFirst = true

  var head: [UInt8] {
    let creator: JSON = ["name": "fanfare", "version": .text(fanfareVersion)]
    return Array(
      #"{"log":{"version":"1.2","creator":\#(creator.encodedString()),"pages":[],"entries":["#.utf8)
  }

  /// Empty for a push that was never sent.
  mutating func bytes(
    of push: DescribedPush, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8] {
    let push = push.entry
    guard push.mayHaveBeenSent, let request else { return [] }
    defer { isFirst = false }
    return Array((isFirst ? "\n" : ",\n").utf8) + entry(of: push, in: stored, request).encoded()
  }

  private func entry(
    of push: PushEntry, in stored: StoredRun, _ request: StoredRequest
  ) -> JSON {
    let latency = Double(push.latencyMicroseconds ?? 0) / 1000
    let answer = push.response == nil ? ", no answer" : ""
    return [
      "startedDateTime": .text(preciseMoment(push.at - Int64(latency), units: 1000)),
      "time": .decimal(latency), "request": har(request, of: push, in: stored),
      "response": har(push.response, of: push, in: stored), "cache": [:],
      "timings": ["send": 0, "wait": .decimal(latency), "receive": 0],
      "comment": .text("run \(push.run), push \(push.sequence): \(push.outcome.words)\(answer)"),
      "_run": .number(push.run.rawValue), "_sequence": .number(push.sequence),
      "_outcome": .text(push.outcome.rawValue), "_attempts": .number(push.attempts),
    ]
  }

  private func har(_ request: StoredRequest, of push: PushEntry, in stored: StoredRun) -> JSON {
    var members: [JSONMember] = [
      .init(key: "method", value: "POST"),
      .init(key: "url", value: .text(stored.url(of: push))),
      .init(key: "httpVersion", value: "HTTP/2"), .init(key: "cookies", value: []),
      .init(key: "headers", value: har(request.fields)), .init(key: "queryString", value: []),
    ]
    switch request.body {
    case .payload(let payload):
      let data: JSON = [
        "mimeType": "application/json", "params": [],
        "text": .text(String(decoding: payload, as: UTF8.self)),
      ]
      members.append(.init(key: "postData", value: data))
      members.append(.init(key: "bodySize", value: .number(payload.count)))
    case .lost(let failure, _):
      members.append(.init(key: "bodySize", value: -1))
      members.append(
        .init(key: "comment", value: .text("The payload is lost. \(failure.sentence)")))
    }
    return (members + [.init(key: "headersSize", value: -1)]).object
  }

  private func har(_ response: Response?, of push: PushEntry, in stored: StoredRun) -> JSON {
    let body = response.map(\.body) ?? ""
    let id = response == nil ? [] : [(stored.idHeader.text, push.apnsID.description)]
    let unique = response?.uniqueID.map { [("apns-unique-id", $0)] } ?? []
    let content: JSON =
      body.isEmpty
      ? ["size": 0, "mimeType": "x-unknown"]
      : ["size": .number(body.utf8.count), "mimeType": "application/json", "text": .text(body)]
    return [
      "status": .number(response?.status.rawValue ?? 0), "statusText": "", "httpVersion": "HTTP/2",
      "cookies": [],
      "headers": har(id + unique),
      "content": content, "redirectURL": "", "headersSize": -1, "bodySize": -1,
    ]
  }

  private func har(_ fields: [(name: String, value: String)]) -> JSON {
    JSON(.array(fields.map { ["name": .text($0.name), "value": .text($0.value)] }))
  }
}
