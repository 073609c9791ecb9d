import Reporting
import Testing

@Suite("A number for people")
struct NumberTextTests {
  @Test(
    "has its noun in the right form",
    arguments: [
      (0, "0 pushes"), (1, "1 push"), (2, "2 pushes"), (1_000_000, "1,000,000 pushes"),
    ])
  func noun(_ row: (number: Int, text: String)) {
    #expect(counted(row.number, "push", plural: "pushes") == row.text)
  }

  @Test("has a plural in s unless another is given")
  func plural() { #expect(counted(2, "token") == "2 tokens") }

  @Test(
    "has a comma between thousands",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (-1234, "-1,234"),
      (-999, "-999"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func thousands(_ row: (number: Int, text: String)) { #expect(grouped(row.number) == row.text) }

  @Test(
    "has as many decimals as asked for",
    arguments: [
      (1.0, 2, "1.00"), (0.005, 2, "0.01"), (1.995, 1, "2.0"), (12.34, 0, "12"), (-0.5, 1, "-0.5"),
      (-1.05, 2, "-1.05"), (0.05, 3, "0.050"), (0, 1, "0.0"),
    ])
  func decimals(_ row: (number: Double, decimals: Int, text: String)) {
    #expect(fixed(row.number, decimals: row.decimals) == row.text)
  }

  @Test(
    "of milliseconds has the digits that it deserves",
    arguments: [
      (0.04, "0.0 ms"), (0.84, "0.8 ms"), (9.94, "9.9 ms"), (10, "10 ms"), (12.4, "12 ms"),
      (3400, "3,400 ms"),
    ])
  func latency(_ row: (value: Double, text: String)) {
    #expect(milliseconds(row.value) == row.text)
  }
}
