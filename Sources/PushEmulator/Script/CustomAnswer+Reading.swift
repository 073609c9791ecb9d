internal import APNS
internal import JSONText

extension EmulatorAnswer {
  /// Reads `{status: 410, reason: "Unregistered", timestamp: 1700000000000}` and other parts of an
  /// answer.
  init(reading value: JSON, in rule: FileObject) {
    let custom = CustomAnswer(reading: rule.object(value, "answer"))
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
  /// Reads an answer.
  fileprivate init(reading object: FileObject) {
    let status = object.integer("status", in: 200...999).map { Status(rawValue: $0) }
    self.init(
      status: .accepted, body: Self.body(object, status), apnsID: Self.identifier(object),
      fields: object.fields("fields"), interim: Self.interim(object),
      trailers: object.fields("trailers"), pace: Self.pace(object),
      aftermath: Self.aftermath(object))
    self.status = status ?? implied
    object.refuseOtherKeys()
  }

  /// The status that goes with the reason.
  private var implied: Status {
    if case .reason(let reason, _) = body { reason.info?.status ?? .badRequest } else { .accepted }
  }

  private static func body(_ object: FileObject, _ status: Status?) -> Body {
    let (timestamp, type) = (object.take("timestamp"), object.headerText("contentType"))
    let bodies = [
      Self.reason(object, timestamp, status),
      object.text("body").map { .bytes(Array($0.utf8), contentType: type) },
      Self.hexadecimal(object).map { .bytes($0, contentType: type) },
      Self.filler(object).map { .bytes($0, contentType: type) },
    ].compactMap(\.self)
    if bodies.count > 1 {
      object.report(
        "This answer has more than one body.", fix: "Keep one of: reason, body, bodyHex, bodySize.")
    }
    return bodies.first ?? .none
  }

  private static func filler(_ object: FileObject) -> [UInt8]? {
    guard let size = object.integer("bodySize", in: 0...16_777_216) else { return nil }
    if object.problems.reserve(size) { return [UInt8](repeating: UInt8(ascii: "x"), count: size) }
    object.report(
      "The bodies of this script have more than 64 MiB.", fix: "Write fewer, or smaller ones.")
    return nil
  }

  private static func reason(
    _ object: FileObject, _ timestamp: JSON?, _ status: Status?
  ) -> Body? {
    let time = timestamp.flatMap { object.integer($0, "timestamp", in: 0...Int.max) }
    guard let reason = object.reason("reason") else { return nil }
    if reason.info == nil && status == nil {
      object.report(
        "'\(reason)' is not a reason of APNs, so its status is unknown.",
        fix: "Correct the reason, or add a status.")
    }
    return .reason(reason, timestamp: time.map { Int64($0) })
  }

  private static func hexadecimal(_ object: FileObject) -> [UInt8]? {
    guard let value = object.take("bodyHex"), let text = object.text(value, "bodyHex") else {
      return nil
    }
    let digits = text.compactMap(\.hexDigitValue)
    if digits.count == text.count, digits.count.isMultiple(of: 2) {
      return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
    }
    object.report(
      "bodyHex", value, "'bodyHex' is not hexadecimal.", fix: "Write two digits per byte.")
    return nil
  }

  private static func identifier(_ object: FileObject) -> Identifier {
    switch object.headerText("apnsID") {
    case nil, "echoed": .echoed
    case "upperCase": .upperCase
    case "twice": .twice
    case "missing": .missing
    case let text?: .other(text)
    }
  }

  private static func interim(_ object: FileObject) -> [Int] {
    guard let value = object.take("interim") else { return [] }
    return (value.array ?? [value]).compactMap { object.integer($0, "interim", in: 100...199) }
  }
}

// The sending of an answer, and its aftermath.
extension CustomAnswer {
  private static func pace(_ object: FileObject) -> Pace {
    let paces = [
      object.integer("frames", in: 1...16_384).map { Pace.frames(of: $0) },
      object.object("trickle").flatMap(trickle),
      object.integer("stall", in: 0...Int.max).map { .stall(after: $0) },
    ].compactMap(\.self)
    if paces.count > 1 {
      object.report(
        "This answer is sent in more than one way.", fix: "Keep one of: frames, trickle, stall.")
    }
    return paces.first ?? .atOnce
  }

  private static func trickle(_ object: FileObject) -> Pace? {
    let bytes = object.integer("bytes", in: 1...16_384, isRequired: true)
    let time = object.milliseconds("every", isRequired: true)
    object.refuseOtherKeys()
    guard let bytes, let time else { return nil }
    return .trickle(bytes: bytes, milliseconds: time)
  }

  /// `{reset: "NO_ERROR"}`, `{drop: "rst", afterBytes: 20}` or `{freeze: "2s"}`
  private static func aftermath(_ rule: FileObject) -> Aftermath? {
    guard let object = rule.object("afterwards") else { return nil }
    let bytes = object.integer("afterBytes", in: 0...Int.max)
    let drop = object.take("drop").flatMap { object.drop($0, "drop") }
    let choices: [Aftermath] = [
      object.errorCode("reset").map { .reset(code: $0) },
      drop.map { .drop($0, afterBytes: bytes ?? .max) },
      object.take("freeze").flatMap { object.freeze($0, "freeze") }
        .map { .freeze(milliseconds: $0.milliseconds) },
    ].compactMap(\.self)
    object.refuseOtherKeys()
    if choices.count != 1 {
      object.report(
        "Only one thing can happen afterwards.", fix: "Keep one of: reset, drop, freeze.")
    } else if bytes != nil && drop == nil {
      object.report("'afterBytes' is allowed only with 'drop'.", fix: "Remove it.")
    }
    return choices.first
  }
}
