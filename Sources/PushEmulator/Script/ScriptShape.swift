package import APNS

/// The contents of a script: the one description for reader, JSON Schema and documentation.
package enum ScriptShape {
  /// The whole file.
  package static let file = FileShape.object(
    .schema,
    FileKey("seed", .integer(0...Int.max), help: "The seed of what happens at random."),
    FileKey("rules", .array(rule), help: "What happens to pushes: the first rule that matches."),
    FileKey(
      "settings", .array(.object(ObjectShape([event, after] + announcement))),
      help: "Changes to the limits of each connection."),
    FileKey(
      "errorBudget", errorBudget,
      help: "The errors that a connection tolerates before it slows down and ends."),
    FileKey(
      "tokenRate",
      .object(
        FileKey("count", .integer(0...Int.max), isRequired: true, help: "The number of pushes."),
        FileKey("per", .timeSpan, isRequired: true, help: "The period.")),
      help: "The pushes to a device token in a period; more get TooManyRequests."),
    FileKey("connections", connections, help: "The connections and their distance."))

  /// The JSON Schema of scripts.
  package static var schema: [UInt8] { file.schema(titled: "A script of the emulator") }

  private static let counted = FileShape.integer(1...Int.max)

  private static let rule = FileShape.object(
    ObjectShape(
      [
        FileKey("when", condition, help: "The pushes; all without it."),
        FileKey("times", counted, help: "How many pushes the rule applies to."),
        FileKey("processed", .truth, help: "Whether the push counts as delivered in the journal."),
      ] + actions, exclusive: [["answer", "reset", "drop", "swallow"]]))

  private static let condition = FileShape.object(
    FileKey("token", .text, help: "This device token."),
    FileKey("tokenPrefix", .text, help: "Device tokens with this prefix."),
    FileKey(
      "request", .word(RequestKind.allCases.map(\.rawValue)),
      help: "Pushes to devices or to channels, or requests to manage channels."),
    FileKey("channel", .text, help: "The ID in apns-channel-id."),
    FileKey("nth", counted, help: "The request with this number."),
    FileKey("every", counted, help: "Every N-th request."),
    FileKey("from", counted, help: "Requests from this number on."),
    FileKey("to", counted, help: "Requests up to this number."),
    FileKey("probability", .ratio, help: "At random, from 0 to 1."),
    FileKey("attempt", counted, help: "The N-th push to its device token or channel."),
    FileKey("connection", counted, help: "The connection with this number."),
    FileKey("stream", .integer(1...Int(Int32.max)), help: "The HTTP/2 stream."),
    FileKey("topic", .text, help: "The apns-topic."),
    FileKey("pushType", .text, help: "The apns-push-type."),
    FileKey("priority", .integer(1...10), help: "The apns-priority."))

  /// What a rule does; it needs one of these.
  static let actions = [
    FileKey("answer", answer, help: "Answers in this way."),
    FileKey("reset", errorCode, help: "RST_STREAM with this code."),
    FileKey("goAway", goAway, help: "Sends GOAWAY first."),
    FileKey("drop", drop, help: "Closes the connection without an answer."),
    FileKey("swallow", .yes, help: "Never answers."),
    FileKey("delay", .timeSpan, help: "Does all this later; other pushes continue."),
    FileKey("freeze", freeze, help: "First stops reading and sending on this connection."),
    FileKey(
      "announce", .object(ObjectShape(announcement)), help: "First announces other limits."),
  ]

  private static let drop = FileShape.word(Drop.allCases.map(\.rawValue))
  /// A duration, or `true` for good.
  private static let freeze = FileShape.either([.timeSpan, .yes])
  private static let errorCode = FileShape.either([
    .word(errorCodes, or: "a number"), .integer(0...Int(UInt32.max)),
  ])

  /// The names of HTTP/2's error codes (RFC 9113 section 7); the index is the code.
  static let errorCodes = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
    "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]
}

// Answers.
extension ScriptShape {
  private static let answer = FileShape.object(
    ObjectShape(
      [
        FileKey("status", .integer(200...999), help: "The status; by default the reason's."),
        FileKey("reason", .reason, help: "The reason in the body."),
        FileKey(
          "timestamp", .integer(0...Int.max), help: "The timestamp beside the reason, in ms."),
        FileKey("body", .text, help: "Another body."),
        FileKey("bodyHex", hexadecimal, help: "Another body, in hexadecimal digits."),
        FileKey("bodySize", .integer(0...16_777_216), help: "Another body, of this many bytes."),
        FileKey("contentType", headerText, help: "The content-type of another body."),
        FileKey(
          "apnsID", headerText,
          help: "echoed, upperCase, twice or missing; any other text is sent as it is."),
        FileKey("fields", fields, help: "Further header fields."),
        FileKey("trailers", fields, help: "Trailers."),
        FileKey(
          "interim", .either([.integer(100...199), .array(.integer(100...199))]),
          help: "Interim answers before it."),
        FileKey("frames", .integer(1...16_384), help: "Sends the body in frames of so many bytes."),
        FileKey("trickle", trickle, help: "Sends the body slowly."),
        FileKey("stall", .integer(0...Int.max), help: "Stops for good after so many bytes."),
        FileKey("afterwards", afterwards, help: "What happens after the answer."),
      ],
      exclusive: [
        ["reason", "body", "bodyHex", "bodySize"], ["frames", "trickle", "stall"],
      ]))

  private static let trickle = FileShape.object(
    FileKey("bytes", .integer(1...16_384), isRequired: true, help: "The bytes at a time."),
    FileKey("every", .timeSpan, isRequired: true, help: "The time between them."))

  private static let afterwards = FileShape.either([
    .object(FileKey("reset", errorCode, isRequired: true, help: "RST_STREAM with this code.")),
    .object(
      FileKey("drop", drop, isRequired: true, help: "Closes the connection."),
      FileKey("afterBytes", .integer(0...Int.max), help: "After so many bytes of the answer.")),
    .object(FileKey("freeze", freeze, isRequired: true, help: "Stops reading and sending.")),
  ])

  private static let fields = FileShape.map(.either([headerText, .array(headerText)]))

  private static let headerText = FileShape.form(
    TextForm(
      "text without control characters", "This is not allowed in a header.",
      fix: "Remove the control characters."
    ) { text in text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } })

  private static let hexadecimal = FileShape.form(
    TextForm(
      "hexadecimal digits", pattern: "^([0-9A-Fa-f]{2})*$", "This is not hexadecimal.",
      fix: "Write two digits per byte."
    ) { text in text.count.isMultiple(of: 2) && text.allSatisfy { $0.hexDigitValue != nil } })
}

// Connections.
extension ScriptShape {
  /// The value of `goAway`.
  static let goAway = FileShape.object(
    ObjectShape(
      [
        FileKey(
          "lastStream",
          .either([.word(["current", "half"], or: "a number"), .integer(0...Int(Int32.max))]),
          help: "The last stream that it covers; by default the push's own."),
        FileKey("code", errorCode, help: "The error code; 0 by default."),
        FileKey("reason", .reason, help: "The reason in the debug data."),
        FileKey("debugData", .text, help: "Other debug data."),
        FileKey("notice", .timeSpan, help: "Sends a first GOAWAY so much earlier."),
        FileKey("staysOpen", .truth, help: "Whether the connection stays open."),
      ], exclusive: [["reason", "debugData"]]))

  private static let announcement = [
    FileKey("maxConcurrentStreams", .integer(0...Int(UInt32.max)), help: "The most open streams."),
    FileKey(
      "initialWindowSize", .integer(0...Int(Int32.max)),
      help: "The window of each stream, in bytes."
    ),
    FileKey(
      "windowIncrement", .integer(1...Int(Int32.max)),
      help: "Bytes to add to the connection's window."),
  ]

  private static let event = FileKey(
    "at",
    .either([
      .word(["start", "firstToken"], or: "an object with 'requests' or 'errors'"),
      .object(FileKey("requests", counted, isRequired: true, help: "So many requests.")),
      .object(FileKey("errors", counted, isRequired: true, help: "So many errors.")),
    ]), isRequired: true, help: "When it happens, once per connection.")

  private static let after = FileKey("after", .timeSpan, help: "So much later.")

  private static let errorBudget = FileShape.object(
    FileKey("slowsAt", counted, help: "The points at which the connection slows down."),
    FileKey("slowLimit", .integer(0...Int(UInt32.max)), help: "The streams it then allows."),
    FileKey("endsAt", counted, help: "The points at which it ends."),
    FileKey("goAway", goAway, help: "How it ends."),
    FileKey("costs", .map(.integer(0...1_000_000)), help: "The points of reasons; others cost 1."))

  private static let connections = FileShape.object(
    FileKey("limit", .integer(0...65_535), help: "The most open connections."),
    FileKey("acknowledgesPings", .truth, help: "Whether PINGs are acknowledged."),
    FileKey("refillsWindows", .truth, help: "Whether WINDOW_UPDATEs are sent."),
    FileKey("padding", .integer(0...255), help: "The padding of frames, in bytes."),
    FileKey("roundTrip", .timeSpan, help: "The round-trip time."),
    FileKey("bandwidth", bandwidth, help: "The bandwidth, in each direction."),
    FileKey(
      "stalls",
      .object(
        FileKey("every", .timeSpan, isRequired: true, help: "From one stall to the next."),
        FileKey("length", .timeSpan, isRequired: true, help: "The length of a stall.")),
      help: "Times in which nothing arrives."))

  private static let bandwidth: FileShape = {
    let fix = "Write a whole number with a unit, such as \"64kbit/s\" or \"1Mbit/s\"."
    return .form(
      TextForm(
        "a bandwidth, such as \"1Mbit/s\"", pattern: "^[0-9]+[kMG]bit/s$",
        "This is not a bandwidth.", fix: fix, fixOfKind: fix
      ) { Distance.bitsPerSecond($0) != nil })
  }()
}

extension FileShape {
  /// One of these words, or a value of another kind.
  fileprivate static func word(_ words: [String], or other: String) -> FileShape {
    .word(words) { _ in "Write one of: \(words.joined(separator: ", ")), or \(other)." }
  }
}
