import Testing

@testable import Delivery

@Suite("Reconnecting")
struct ReconnectTests {
  /// The delays until it gives up, at most so many.
  private func delays(
    _ reconnect: inout Reconnect, answersOfRun: Int, jitter: Double = 1, atMost count: Int = 50
  ) -> [Int] {
    var delays: [Int] = []
    while delays.count < count,
      let delay = reconnect.failed(jitter: jitter, answersOfRun: answersOfRun)
    {
      delays.append(delay)
    }
    return delays
  }

  @Test("Before the first answer of the run there are three tries")
  func start() {
    var reconnect = Reconnect()
    #expect(delays(&reconnect, answersOfRun: 0) == [200, 400])
  }

  @Test("After it there are ten in a row, with delays that double")
  func later() {
    var reconnect = Reconnect()
    reconnect.answered()
    let expected = [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200]
    #expect(delays(&reconnect, answersOfRun: 1) == expected)
    reconnect.answered()
    #expect(delays(&reconnect, answersOfRun: 2) == expected)
  }

  @Test("Jitter takes away up to half of a delay")
  func jitter() {
    var (low, middle) = (Reconnect(), Reconnect())
    #expect(delays(&low, answersOfRun: 0, jitter: 0) == [100, 200])
    #expect(delays(&middle, answersOfRun: 0, jitter: 0.5) == [150, 300])
  }

  @Test("While others are answered it does not give up, and waits a minute at most")
  func others() {
    var reconnect = Reconnect()
    let delays = (1...200).map { reconnect.failed(jitter: 1, answersOfRun: $0) }
    #expect(!delays.contains(nil))
    #expect(delays.suffix(100).allSatisfy { $0 == 60_000 })
    #expect(self.delays(&reconnect, answersOfRun: 200).count == 8)
  }
}
