/// A set of evenly distributed 64-bit numbers, which takes 10 to 14 bytes for each.
///
/// Remembers a run's device tokens by keyed fingerprints. Among ten million tokens, the chance that
/// any two different ones share a fingerprint is about 3 in a million. The leading bits split the
/// set into tables that grow one at a time, so only a small part is ever in memory twice.
struct FingerprintSet: Sendable {
  private var tables = [FingerprintTable](
    repeating: FingerprintTable(), count: 1 << FingerprintTable.commonBits)

  /// Adds a number; false when it was already there.
  mutating func insert(_ number: UInt64) -> Bool { tables[Self.table(of: number)].insert(number) }

  /// Looks up a number; true if it was added.
  func contains(_ number: UInt64) -> Bool { tables[Self.table(of: number)].contains(number) }

  private static func table(of number: UInt64) -> Int {
    Int(number >> (64 - FingerprintTable.commonBits))
  }
}

/// The numbers with the same leading bits. At most four fifths of the slots are used, and the table
/// grows by three eighths.
private struct FingerprintTable: Sendable {
  /// The number of leading bits that are the same.
  static let commonBits = 6

  private var slots: [UInt64] = []
  private var room = 0
  private var holdsZero = false

  mutating func insert(_ number: UInt64) -> Bool {
    if number == 0 {
      defer { holdsZero = true }
      return !holdsZero
    }
    if room == 0 { grow() }
    let slot = Self.slot(of: number, in: slots)
    if slots[slot] == number { return false }
    slots[slot] = number
    room -= 1
    return true
  }

  func contains(_ number: UInt64) -> Bool {
    if number == 0 { return holdsZero }
    return !slots.isEmpty && slots[Self.slot(of: number, in: slots)] == number
  }

  private mutating func grow() {
    let count = max(16, slots.count + slots.count * 3 / 8)
    var larger = [UInt64](repeating: 0, count: count)
    for number in slots where number != 0 { larger[Self.slot(of: number, in: larger)] = number }
    room = count * 4 / 5 - slots.count * 4 / 5
    slots = larger
  }

  /// Returns the slot of a number, or the one it would take. Larger numbers start no earlier than
  /// smaller ones, so growing walks memory in order and the slot count need not be a power of two.
  private static func slot(of number: UInt64, in slots: [UInt64]) -> Int {
    let place = (number << commonBits).multipliedFullWidth(by: UInt64(slots.count)).high
    var slot = Int(truncatingIfNeeded: place)
    while slots[slot] != 0, slots[slot] != number {
      slot += 1
      if slot == slots.count { slot = 0 }
    }
    return slot
  }
}
