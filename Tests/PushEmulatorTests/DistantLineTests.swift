import Testing

@testable import PushEmulator

@Suite("A line to a server at a distance")
struct DistantLineTests {
  private func line(_ distance: Distance, awaitsConnect: Bool = false) -> DistantLine {
    DistantLine(distance, since: 5000, awaitsConnect: awaitsConnect)
  }

  private func bytes(_ count: Int, _ value: UInt8 = 0) -> DistantLine.Item {
    .bytes([UInt8](repeating: value, count: count)[...])
  }

  /// When each item that is on its way arrives, in milliseconds since the connect.
  private func arrivals(_ line: DistantLine) -> [Int64] {
    var (line, times) = (line, [Int64]())
    while let time = line.nextArrival {
      #expect(line.arrived(by: time - 1) == nil)
      guard let item = line.arrived(by: time) else { break }
      times.append(time - 5000)
      if case .bytes(let bytes) = item { line.remove(bytes.count) } else { line.remove() }
    }
    return times
  }

  @Test("holds bytes back for half of the round trip")
  func halfOfRoundTrip() {
    var line = line(Distance(roundTripMilliseconds: 80))
    line.put(bytes(9), at: 5000)
    line.put(bytes(100_000), at: 5003)
    #expect(arrivals(line) == [40, 43])
  }

  @Test("makes up for a connect that loopback answers at once")
  func connect() {
    var line = line(Distance(roundTripMilliseconds: 80), awaitsConnect: true)
    line.put(bytes(9), at: 5001)
    line.put(bytes(9), at: 5100)
    #expect(arrivals(line) == [120, 140])
  }

  @Test("lets so many bits pass in a second, in order")
  func bandwidth() {
    var line = line(Distance(roundTripMilliseconds: 20, bitsPerSecond: 1_000_000))
    line.put(bytes(3000), at: 5000)
    line.put(.end, at: 5000)
    line.put(bytes(125), at: 5100)
    #expect(arrivals(line) == [22, 34, 34, 111])
  }

  @Test("lets nothing set out in a stall, and catches up afterwards")
  func stalls() {
    let stalls = Distance.Stalls(everyMilliseconds: 1000, milliseconds: 300)
    var line = line(Distance(roundTripMilliseconds: 20, stalls: stalls))
    for time: Int64 in [0, 999, 1000, 1299, 1300, 2100] { line.put(bytes(1), at: 5000 + time) }
    #expect(arrivals(line) == [10, 1009, 1310, 1310, 1310, 2310])
  }

  @Test("has room for a second's worth of bytes, and again when they have arrived")
  func room() {
    var line = line(Distance(bitsPerSecond: 1_000_000))
    line.put(bytes(124_999), at: 5000)
    #expect(line.hasRoom)
    line.put(bytes(1), at: 5000)
    #expect(!line.hasRoom)
    line.remove(1000)
    #expect(line.hasRoom && line.arrived(by: 5012) == bytes(500))
  }

  @Test("tells the end and a reset after the bytes in front of them")
  func ends() {
    var line = line(Distance(roundTripMilliseconds: 80))
    line.put(bytes(2, 7), at: 5000)
    line.put(.reset, at: 5000)
    #expect(line.arrived(by: 5039) == nil && line.arrived(by: 5040) == bytes(2, 7))
    line.remove(2)
    #expect(line.arrived(by: 5040) == .reset)
  }

  @Test("forgets what has arrived, however long it works")
  func longLife() {
    var line = line(Distance(roundTripMilliseconds: 2))
    for time in Int64(5000)..<7000 {
      line.put(bytes(3), at: time)
      while line.arrived(by: time) != nil { line.remove(3) }
    }
    #expect(line.arrived(by: 7000) == bytes(3) && line.nextArrival == 7000)
  }

  static let bandwidths: [(String, Int?)] = [
    ("64kbit/s", 64_000), ("1Mbit/s", 1_000_000), ("100Gbit/s", 100_000_000_000),
    ("101Gbit/s", nil), ("0Mbit/s", nil), ("1", nil), ("1Mb/s", nil), ("1.5Mbit/s", nil),
    ("Mbit/s", nil), ("99999999999999999999kbit/s", nil), ("9223372036854775807Gbit/s", nil),
  ]

  @Test("has a bandwidth as people write it", arguments: bandwidths)
  func readsBandwidth(_ row: (text: String, bits: Int?)) {
    #expect(Distance.bitsPerSecond(row.text) == row.bits)
  }
}
