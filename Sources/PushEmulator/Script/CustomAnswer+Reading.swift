internal import APNS
internal import HTTP2

extension EmulatorAnswer {
  /// Reads `{status: 410, reason: "Unregistered", timestamp: 1700000000000}` and other parts of an
  /// answer.
  init(reading answer: FileValue) {
    let custom = CustomAnswer(reading: answer)
    var plain = CustomAnswer(status: custom.status, body: custom.body)
    if case .reason(let reason, let timestamp) = custom.body, custom == plain {
      self = .reject(status: custom.status, reason: reason, timestamp: timestamp)
      return
    }
    plain = CustomAnswer()
    self = custom == plain ? .accept : .custom(custom)
  }
}

extension CustomAnswer {
  fileprivate init(reading answer: FileValue) {
    let status = answer["status"].int.map { Status(rawValue: $0) }
    self.init(
      status: .accepted, body: Self.body(answer, status), apnsID: Self.identifier(answer),
      fields: Self.fields(answer["fields"]),
      interim: answer["interim"].elements.compactMap(\.int),
      trailers: Self.fields(answer["trailers"]), pace: Self.pace(answer),
      aftermath: Self.aftermath(answer["afterwards"]))
    self.status = status ?? implied
  }

  /// The status that goes with the reason.
  private var implied: Status {
    if case .reason(let reason, _) = body { reason.info?.status ?? .badRequest } else { .accepted }
  }

  private static func body(_ answer: FileValue, _ status: Status?) -> Body {
    if let reason = answer["reason"].reason {
      if reason.info == nil && status == nil {
        answer.report(
          "'\(reason)' is not a reason of APNs, so its status is unknown.",
          fix: "Correct the reason, or add a status.")
      }
      return .reason(reason, timestamp: answer["timestamp"].int.map { Int64($0) })
    }
    let bytes =
      answer["body"].text.map { Array($0.utf8) } ?? hexadecimal(answer["bodyHex"])
      ?? filler(answer)
    return bytes.map { .bytes($0, contentType: answer["contentType"].text) } ?? .none
  }

  private static func hexadecimal(_ value: FileValue) -> [UInt8]? {
    guard let digits = value.text?.compactMap(\.hexDigitValue) else { return nil }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  private static func filler(_ answer: FileValue) -> [UInt8]? {
    guard let size = answer["bodySize"].int else { return nil }
    if answer.problems.reserve(size) { return [UInt8](repeating: UInt8(ascii: "x"), count: size) }
    answer.report(
      "The bodies of this script have more than 64 MiB.", fix: "Write fewer, or smaller ones.")
    return nil
  }

  private static func identifier(_ answer: FileValue) -> Identifier {
    switch answer["apnsID"].text {
    case nil, "echoed": .echoed
    case "upperCase": .upperCase
    case "twice": .twice
    case "missing": .missing
    case let text?: .other(text)
    }
  }

  /// Header fields or trailers: each key has one string or several.
  private static func fields(_ fields: FileValue) -> [Field] {
    fields.members.flatMap { name, value -> [Field] in
      if name.isEmpty || !name.utf8.allSatisfy(nameBytes.contains) {
        value.report(
          "This is not allowed in a header.",
          fix: "Use lowercase letters, digits and - in the name, and no control characters.")
      }
      return value.elements.compactMap(\.text).map { Field(name, $0) }
    }
  }

  private static let nameBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)
}

// The sending of an answer, and its aftermath.
extension CustomAnswer {
  private static func pace(_ answer: FileValue) -> Pace {
    if let bytes = answer["frames"].int { return .frames(of: bytes) }
    if let bytes = answer["stall"].int { return .stall(after: bytes) }
    let trickle = answer["trickle"]
    guard let bytes = trickle["bytes"].int, let time = trickle["every"].milliseconds else {
      return .atOnce
    }
    return .trickle(bytes: bytes, milliseconds: time)
  }

  /// `{reset: "NO_ERROR"}`, `{drop: "rst", afterBytes: 20}` or `{freeze: "2s"}`
  private static func aftermath(_ value: FileValue) -> Aftermath? {
    if let code = value["reset"].errorCode { return .reset(code: code) }
    if let drop = value["drop"].drop {
      return .drop(drop, afterBytes: value["afterBytes"].int ?? .max)
    }
    return Freeze(reading: value["freeze"]).map { .freeze(milliseconds: $0.milliseconds) }
  }
}
