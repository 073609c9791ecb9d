internal import APNS
internal import JSONText
internal import PushModel

/// The rows of JSON Lines: one object per line.
final class JSONRows: ListRows {
  let lines: LineReader
  private let variables: [String]
  private let takesNull: Bool
  private let reader = JSONReader()
  private var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var object = JSONObject()
  private var fault: LineFault?
  private var tokenKey = ""
  private var writer = JSONWriter()

  // The text of a device token, decoration included; anything longer cannot be one.
  private let tokenText = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
  private var tokenCount = 0

  /// - Parameter takesNull: whether a device token may be null, and is then empty.
  init(_ lines: LineReader, variables: [String], takesNull: Bool = false) {
    self.lines = lines
    self.variables = variables
    self.takesNull = takesNull
  }

  deinit { tokenText.deallocate() }

  var line: Int { lines.line }

  var excerpt: UnsafeBufferPointer<UInt8> { tokenCount == 0 ? text : tokenBytes }

  private var tokenBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: tokenText[..<tokenCount])
  }

  func advance() -> Bool {
    guard let line = nextText() else { return false }
    text = UnsafeBufferPointer(line).trimmed
    (fault, tokenCount) = (nil, 0)
    do throws(LineFault) {
      object = try read()
      try keep(tokenMember())
    } catch {
      fault = error
    }
    return true
  }

  private func read() throws(LineFault) -> JSONObject {
    if lines.isCut { throw .tooLong }
    let value: JSON
    do throws(JSONSyntaxError) {
      value = try reader.read(text)
    } catch {
      throw .json(.syntax(error))
    }
    guard let object = value.object else { throw .json(.notObject(value.kind)) }
    return object
  }

  /// Returns the text of `token`, or of `device_token` if there is no `token`.
  private func tokenMember() throws(LineFault) -> String {
    tokenKey = object["token"] == nil ? "device_token" : "token"
    guard let value = object[tokenKey] else { throw .json(.noToken) }
    if takesNull, value.content == .null { return "" }
    guard let text = value.string else { throw .json(.notText(key: tokenKey, value.kind)) }
    return text
  }

  private func keep(_ token: String) throws(LineFault) {
    var token = token
    let count = token.utf8.count
    if count > tokenText.count { throw .token(.tooLong(count)) }
    _ = token.withUTF8 { tokenText.update(fromContentsOf: $0) }
    tokenCount = count
  }

  func token() throws(LineFault) -> UnsafeBufferPointer<UInt8> {
    if let fault { throw fault }
    return tokenBytes
  }

  func registered() throws(LineFault) -> Int64? {
    guard let value = object["registered"] else { return nil }
    switch value.content {
    case .null: return nil
    case .string(let text): return try seconds(text)
    case .number(let number): return try seconds(number.text)
    default: throw .json(.notText(key: "registered", value.kind))
    }
  }

  /// Returns the integer member of the current row; nil when it has none.
  func integer(_ key: String) -> Int? { object[key]?.number?.int }

  private func seconds(_ text: String) throws(LineFault) -> Int64? {
    var text = text
    return try text.withUTF8 { bytes in
      Result { () throws(LineFault) in try RegistrationTime.seconds(bytes) }
    }.get()
  }

  func addValues(to values: inout TemplateValues) {
    for name in variables {
      if name != tokenKey, let value = object[name] {
        add(value, to: &values)
      } else {
        values.appendMissing(1)
      }
    }
  }

  private func add(_ value: JSON, to values: inout TemplateValues) {
    if var text = value.string {
      text.withUTF8 { values.append(.text, $0) }
    } else {
      writer.removeAll()
      writer.value(value)
      writer.bytes.withUnsafeBufferPointer { values.append(.json, $0) }
    }
  }
}
