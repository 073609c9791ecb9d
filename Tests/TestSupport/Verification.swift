/// Lets the openssl command verify r and s, side by side, with `public.pem`.
package func verify(_ raw: [UInt8], of message: [UInt8], in folder: KeptFolder) throws {
  _ = try folder.file("signature", der(raw))
  _ = try folder.file("message", message)
  try openssl(
    "dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message", in: folder)
}

/// A DER sequence of two positive numbers (X.690).
private func der(_ raw: [UInt8]) -> [UInt8] {
  let numbers = number(raw[..<32]) + number(raw[32...])
  return [0x30, UInt8(numbers.count)] + numbers
}

private func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  var digits = Array(bytes.drop { $0 == 0 })
  if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
  return [0x02, UInt8(digits.count)] + digits
}
