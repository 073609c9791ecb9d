/// A set of 64-bit numbers. Its table has 11 to 22 bytes for each, and while it grows the smaller
/// table stands beside it.
///
/// It remembers the device tokens of a run by keyed fingerprints. Among ten million tokens the
/// chance that any two differ and share a fingerprint is about 3 in a million.
struct FingerprintSet {
  private var slots = [UInt64](repeating: 0, count: 1024)
  private var count = 0
  private var holdsZero = false

  /// Adds a number; false when it was there already.
  mutating func insert(_ number: UInt64) -> Bool {
    if number == 0 {
      defer { holdsZero = true }
      return !holdsZero
    }
    if count * 4 >= slots.count * 3 { grow() }
    let slot = Self.slot(of: number, in: slots)
    if slots[slot] == number { return false }
    slots[slot] = number
    count += 1
    return true
  }

  private mutating func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    for number in slots where number != 0 {
      larger[Self.slot(of: number, in: larger)] = number
    }
    slots = larger
  }

  /// Where a number is, or would go.
  private static func slot(of number: UInt64, in slots: [UInt64]) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: number) & mask
    while slots[slot] != 0, slots[slot] != number { slot = (slot + 1) & mask }
    return slot
  }
}
