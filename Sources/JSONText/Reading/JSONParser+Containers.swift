extension JSONParser {
  mutating func array() throws(JSONSyntaxError) -> [JSON] {
    var elements: [JSON] = []
    var goesOn = try open(until: .rightBracket)
    while goesOn {
      elements.append(try value())
      goesOn = try anotherFollows(until: .rightBracket)
    }
    return elements
  }

  mutating func object() throws(JSONSyntaxError) -> JSONObject {
    var members = DistinctMembers()
    var goesOn = try open(until: .rightBrace)
    while goesOn {
      try member(into: &members)
      goesOn = try anotherFollows(until: .rightBrace)
    }
    return JSONObject(distinct: members.members)
  }

  private mutating func member(into members: inout DistinctMembers) throws(JSONSyntaxError) {
    let position = position(at: index)
    let key = try key()
    if let first = members.position(of: key) {
      throw JSONSyntaxError(.duplicateKey(key, first: first), at: position)
    }
    try skipSpace()
    guard skip(.colon) else { throw unexpected(.colon) }
    try skipSpace()
    members.append(JSONMember(key: key, at: position, value: try value()))
  }

  private mutating func key() throws(JSONSyntaxError) -> String {
    let start = index
    switch next {
    case .quote: return try string(quote: .quote)
    case .apostrophe where isJSON5: return try string(quote: .apostrophe)
    default: break
    }
    guard startsIdentifier else { throw unexpected(.key) }
    let name = try identifier()
    if !isJSON5 { throw error(.unquotedKey(excerpt(from: start)), at: start) }
    return name
  }

  /// Consumes an opening bracket. Returns false if the closing one follows, after consuming it too.
  private mutating func open(until closing: UInt8) throws(JSONSyntaxError) -> Bool {
    guard depth < depthLimit else { throw error(.tooDeep(limit: depthLimit)) }
    depth += 1
    index += 1
    try skipSpace()
    return !close(closing)
  }

  /// Consumes a comma or the closing bracket. Returns false after the bracket.
  private mutating func anotherFollows(until closing: UInt8) throws(JSONSyntaxError) -> Bool {
    try skipSpace()
    if close(closing) { return false }
    let comma = index
    guard skip(.comma) else {
      throw unexpected(closing == .rightBrace ? .commaOrClosingBrace : .commaOrClosingBracket)
    }
    try skipSpace()
    guard close(closing) else { return true }
    if !isJSON5 { throw error(.trailingComma, at: comma) }
    return false
  }

  private mutating func close(_ closing: UInt8) -> Bool {
    guard skip(closing) else { return false }
    depth -= 1
    return true
  }
}
