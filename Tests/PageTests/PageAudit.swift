/// What can be measured of a page's accessibility (WCAG 2.2, level AA).
enum PageAudit {
  /// A script that returns a sentence for each fault in what can be seen.
  static let script = #"""
    const faults = new Set();
    const parts = (color) => {
      const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
      return { rgb: [red, green, blue], alpha };
    };
    const over = (top, bottom) =>
      top.rgb.map((value, index) => value * top.alpha + bottom[index] * (1 - top.alpha));
    const background = (element) => {
      if (!element) return [255, 255, 255];
      const own = parts(getComputedStyle(element).backgroundColor);
      return own.alpha === 1 ? own.rgb : over(own, background(element.parentElement));
    };
    const luminance = (rgb) => {
      const [red, green, blue] = rgb.map((value) => value / 255)
        .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ratio = (one, other) => {
      const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const told = (element) => element.tagName + "." + element.className + " '"
      + element.textContent.trim().slice(0, 30) + "'";
    const expectRatio = (element, color, wanted, what) => {
      const back = background(element);
      const found = ratio(over(parts(color), back), back);
      if (found < wanted) faults.add(told(element) + ": " + what + " " + found.toFixed(2));
    };
    const isLarge = (style) => parseFloat(style.fontSize) >= 24
      || parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700;

    const seen = [...document.querySelectorAll("body *")]
      .filter((element) => element.checkVisibility() && !element.closest(".unseen, svg"));
    for (const element of seen) {
      const style = getComputedStyle(element);
      const hasText = [...element.childNodes]
        .some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
      if (hasText) expectRatio(element, style.color, isLarge(style) ? 3 : 4.5, "text contrast");
      if (element.placeholder) {
        expectRatio(element, getComputedStyle(element, "::placeholder").color, 4.5, "placeholder");
      }
      if (element.matches("button, input, select")) {
        const box = element.getBoundingClientRect();
        const target = matchMedia("(max-width: 70rem), (pointer: coarse)").matches ? 44 : 24;
        if (Math.min(box.width, box.height) < target) faults.add(told(element) + ": too small");
      }
      if (element.matches("input, select")) {
        expectRatio(element.parentElement, style.borderTopColor, 3, "border contrast");
      }
      if (element.matches("main *") && element.hasAttribute("style")
        && !element.matches(".space, .row")) faults.add(told(element) + ": has a style");
    }
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.add(id + ": twice");
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) faults.add("The page scrolls sideways: " + root.scrollWidth);
    if (root.lang !== "en" || document.title === "") faults.add("The page has no language or title.");
    return [...faults];
    """#
}
