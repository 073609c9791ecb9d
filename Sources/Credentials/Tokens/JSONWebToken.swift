package import JSONText

/// A JSON web token in its compact form (RFC 7515 section 7.1): header, claims and signature in
/// base64url, joined by dots. What the parts hold is not looked at until it is asked for.
package struct JSONWebToken: Sendable {
  /// What the signature covers: header and claims as they are written.
  package let signed: [UInt8]

  private let parts: [ArraySlice<UInt8>]
  private let takesPlainBase64: Bool

  /// Cuts a token into its parts.
  ///
  /// - Parameters:
  ///   - text: the whole token, with nothing around it.
  ///   - takesPlainBase64: whether the parts may be in plain base64 too, with or without padding.
  /// - Throws: `ProviderTokenFault.parts` when there are not three of them.
  package init(
    _ text: [UInt8], takesPlainBase64: Bool = false
  ) throws(ProviderTokenFault) {
    parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .parts(parts.count) }
    signed = Array(text.prefix(parts[0].count + 1 + parts[1].count))
    self.takesPlainBase64 = takesPlainBase64
  }

  /// Header and claims as a signature covers them.
  package static func signedText(header: JSON, claims: JSON) -> String {
    Base64URL.encode(header.encoded(.wire)) + "." + Base64URL.encode(claims.encoded(.wire))
  }

  /// The bytes of a part.
  ///
  /// - Throws: `ProviderTokenFault.notBase64`.
  package func bytes(of part: ProviderTokenFault.Part) throws(ProviderTokenFault) -> [UInt8] {
    let text = parts[part.place]
    let bytes = takesPlainBase64 ? Base64URL.decodeLoosely(text) : Base64URL.decode(text)
    guard let bytes else { throw .notBase64(part) }
    return bytes
  }

  /// The object that is the header or the claims.
  ///
  /// - Throws: `ProviderTokenFault.notBase64`, or `.notJSON` for anything but an object.
  package func object(in part: ProviderTokenFault.Part) throws(ProviderTokenFault) -> JSONObject {
    let bytes = try bytes(of: part)
    guard let object = (try? JSONReader().read(bytes))?.object else { throw .notJSON(part) }
    return object
  }
}

extension ProviderTokenFault.Part {
  fileprivate var place: Int {
    switch self {
    case .header: 0
    case .claims: 1
    case .signature: 2
    }
  }
}
