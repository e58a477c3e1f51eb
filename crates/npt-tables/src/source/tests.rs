use super::holds;

/// Texts are compared with exact integers: `f64` has the multiples of a power of two that grows with their size.
#[test]
fn whole_numbers_of_texts() {
    let held = [
        "0",
        "-7",
        "999999999999999",
        "9007199254740992",
        "-9007199254740994",
        "1582218195625938944",
        "+0000000000000000000000000007",
        "18446744073709551616",
        // Rust writes 1e23 like this; the number itself is 99999999999999991611392.
        "100000000000000000000000",
        "99999999999999991611392",
        "1e23",
        "0.12345678901234567890",
        "9007199254740993.5",
    ];
    for text in held {
        assert!(holds(text.parse().unwrap(), text), "{text}");
    }
    let not_held = [
        "9007199254740993",
        "-9007199254740993",
        "0009007199254740993",
        "1582218195625938945",
        "18446744073709551615",
        "18446744073709551617",
        // The nearest number is 72057594037927936, which has these shortest digits.
        "72057594037927940",
        "100000000000000000000001",
        "340282366920938463463374607431768211457",
    ];
    for text in not_held {
        assert!(!holds(text.parse().unwrap(), text), "{text}");
    }
    // With 53 bits, `f64` has every whole number up to 2⁵³, then every second, every fourth …
    for power in 53..=62_u32 {
        for offset in 0..16_u64 {
            let number = (1 << power) + offset;
            let text = number.to_string();
            let expected = offset % (1 << (power - 52)) == 0;
            assert_eq!(holds(text.parse().unwrap(), &text), expected, "{text}");
        }
    }
}
