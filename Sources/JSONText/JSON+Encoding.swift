extension JSON {
  /// This value as a JSON text in UTF-8. Reading it gives the same value back.
  public func encoded(_ style: JSONWriter.Style = .compact) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.value(self)
    return writer.bytes
  }

  /// This value as a JSON text.
  public func encodedString(_ style: JSONWriter.Style = .compact) -> String {
    String(decoding: encoded(style), as: UTF8.self)
  }
}
