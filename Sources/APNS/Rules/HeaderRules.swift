import PlainText

extension RuleTable {
  /// The rules about headers that cannot be sent, whatever they mean.
  static let headerRules: [Rule] = [
    Rule(
      "header-name", .error, about: .headers,
      summary: "A header name consists of letters, digits and hyphens.",
      fix: "Correct the name.", source: Source.http2Fields, isForceable: false
    ) { draft, _ in
      draft.fields.compactMap { $0.isPseudo ? nil : malformedName($0) }
    },
    Rule(
      "header-characters", .error, about: .headers,
      summary: "A header value is printable ASCII (a collapse ID any text) on one line.",
      fix: "Remove the character.", source: Source.http2Fields, isForceable: false
    ) { draft, _ in
      draft.fields.compactMap(malformedValue)
    },
    Rule(
      "header-forbidden", .error, about: .headers,
      summary: "Connection and authentication headers are not part of a notification.",
      fix: "Remove the header; fanfare sends those that a request needs.",
      source: Source.http2Pseudo, isForceable: false
    ) { draft, _ in
      draft.fields.filter(\.isForbidden).map {
        Finding($0, "The header \(quoted($0.name)) cannot be set.")
      }
    },
    Rule(
      "header-twice", .error, about: .headers,
      summary: "No header occurs more than once.",
      fix: "Keep one of them.", source: Source.responses, reason: .duplicateHeaders
    ) { draft, _ in
      repeatedFields(of: draft).map {
        Finding($0, "The header \(quoted($0.name)) occurs more than once.")
      }
    },
    Rule(
      "header-misspelled", .warning, about: .headers,
      summary: "A header name is not a misspelling of one that APNs knows.",
      fix: "Correct the name; APNs ignores headers that it does not know."
    ) { draft, _ in
      draft.fields.compactMap { field in
        meantName(field.name).map {
          Finding(
            field, "APNs does not know the header \(quoted(field.name)).",
            fix: "Did you mean \($0)?")
        }
      }
    },
    Rule(
      "header-for-device", .warning, about: .headers, on: .device,
      summary: "A push to a device has no headers of channel requests or of responses.",
      fix: "Remove the header; APNs ignores it.", source: Source.channels
    ) { draft, _ in
      draft.fields.compactMap { field in
        guard !field.isTyped, let info = HeaderTable.info(field.name) else { return nil }
        if info.scope == .broadcast {
          return Finding(field, "\(info.name) is for channels, not for a push to a device.")
        }
        return info.direction == .response
          ? Finding(field, "\(info.name) is in APNs' responses, not in requests.") : nil
      }
    },
  ]

  // The request header whose name was probably misspelled.
  private static func meantName(_ name: String) -> String? {
    if DraftField.isTyped(name) || HeaderTable.info(name) != nil { return nil }
    let letters = name.map { $0 == "_" ? "-" : $0 }
    return HeaderTable.all.first { info in
      info.name.hasPrefix("apns-") && info.direction != .response
        && isSlip(letters, Array(info.name))
    }?.name
  }

  // True for one letter more, fewer or different, or two adjacent letters swapped.
  private static func isSlip(_ letters: [Character], _ meant: [Character]) -> Bool {
    guard abs(letters.count - meant.count) <= 1 else { return false }
    let distance = Suggestion.editDistance(letters, meant)
    return distance <= 1 || (distance == 2 && letters.sorted() == meant.sorted())
  }

  private static func malformedName(_ field: DraftField) -> Finding? {
    do throws(HeaderFieldError) {
      _ = try HeaderName(field.name)
      return nil
    } catch {
      return switch error {
      case .nameCharacter(let character):
        Finding(field, "A header name must not contain \(quoted(String(character))).")
      default: Finding(field, "A header name is empty.")
      }
    }
  }

  private static func malformedValue(_ field: DraftField) -> Finding? {
    let name = (try? HeaderName(field.name)) ?? .id
    do throws(HeaderFieldError) {
      _ = try HeaderField(name, field.value)
      return nil
    } catch {
      return Finding(field, message(error), fix: fix(error))
    }
  }

  private static func message(_ error: HeaderFieldError) -> String {
    switch error {
    case .surroundingSpace: "The value begins or ends with a space."
    case .valueTooLong(let count): "The value is \(counted(count, "byte")) long."
    case .valueCharacter(let character), .nameCharacter(let character):
      "The value must not contain \(quoted(String(character)))."
    case .emptyName: "A header name is empty."
    }
  }

  private static func fix(_ error: HeaderFieldError) -> String? {
    switch error {
    case .surroundingSpace: "Remove the space."
    case .valueTooLong: "Shorten it to \(HeaderField.maximumValueBytes) bytes."
    default: nil
    }
  }

  private static func repeatedFields(of draft: ExaminedDraft) -> [DraftField] {
    let fields = draft.fields
    return fields.indices.filter { index in
      fields[..<index].contains { $0.name == fields[index].name }
    }.map { fields[$0] }
  }
}

extension DraftField {
  // Headers of RFC 9113 section 8.2.2, and those that only the sender itself may set.
  private static let forbiddenNames: Set = [
    "authorization", "proxy-authorization", "cookie", "connection", "proxy-connection",
    "keep-alive", "transfer-encoding", "te", "upgrade", "trailer", "host", "content-length",
  ]

  fileprivate static func isTyped(_ name: String) -> Bool {
    HeaderName.typed.contains { $0.text == name }
  }

  fileprivate var isTyped: Bool { Self.isTyped(name) }
  fileprivate var isPseudo: Bool { name.utf8.first == UInt8(ascii: ":") }
  fileprivate var isForbidden: Bool { isPseudo || Self.forbiddenNames.contains(name) }
}
