package import JSONText

/// A JSON Web Token in compact form (RFC 7515 section 7.1): header, claims and signature in
/// base64url, joined by dots. The parts are decoded only on request.
package struct JSONWebToken: Sendable {
  /// The signed text: header and claims as written.
  package let signed: [UInt8]

  private let parts: [ArraySlice<UInt8>]
  private let takesPlainBase64: Bool

  /// Splits a token into its parts.
  ///
  /// - Parameters:
  ///   - text: the whole token, with nothing around it.
  ///   - takesPlainBase64: also accepts plain base64, with or without padding.
  /// - Throws: `ProviderTokenFault.parts` unless there are exactly three.
  package init(
    _ text: [UInt8], takesPlainBase64: Bool = false
  ) throws(ProviderTokenFault) {
    parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .parts(parts.count) }
    signed = Array(text.prefix(parts[0].count + 1 + parts[1].count))
    self.takesPlainBase64 = takesPlainBase64
  }

  /// Encodes header and claims as the text to sign.
  package static func signedText(header: JSON, claims: JSON) -> String {
    Base64URL.encode(header.encoded(.wire)) + "." + Base64URL.encode(claims.encoded(.wire))
  }

  /// Decodes a part.
  ///
  /// - Throws: `ProviderTokenFault.notBase64`.
  package func bytes(of part: ProviderTokenFault.Part) throws(ProviderTokenFault) -> [UInt8] {
    let text = parts[part.place]
    let bytes = takesPlainBase64 ? Base64URL.decodeLoosely(text) : Base64URL.decode(text)
    guard let bytes else { throw .notBase64(part) }
    return bytes
  }

  /// Decodes the header or the claims as an object.
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
