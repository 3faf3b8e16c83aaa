package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.api.ReplicatedState;

/** A value of the JDK is restored as Java serialization restores it, or it is rejected. The values are hard ones. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "UnnecessaryStringBuilder"}) // Services hold them.
class JdkValuesTest {
  private static final DatatypeFactory DATATYPES = DatatypeFactory.newDefaultInstance();
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  enum Size {
    SMALL {
      @Override
      public String toString() {
        return "a class of its own";
      }
    },
    LARGE
  }

  static class State {
    @ReplicatedState(types = {Size.class, DayOfWeek.class, Object[].class, String[].class, int[][].class})
    Object any;
  }

  private static Object restored(Object value) {
    StateModel model = StateModel.of(State.class, StateRules.DEFAULTS);
    State from = new State();
    from.any = value;
    State into = new State();
    model.stateOf(into).restoreState(model.stateOf(from).captureState());
    return into.any;
  }

  private static byte[] serialized(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
      stream.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object restoredByJava(Object value) throws IOException, ClassNotFoundException {
    try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(serialized(value)))) {
      return stream.readObject();
    }
  }

  private static Stream<Object> basics() {
    LongAdder adder = new LongAdder();
    adder.add(Long.MIN_VALUE);
    BitSet bits = new BitSet(1_000);
    bits.set(777);
    return Stream.of(
        "", "\0", "é\u007f\u0080\uffff", "\ud800", "a\udc00b", "😀", "x".repeat(64), "é".repeat(5_000), '\uffff', Byte.MIN_VALUE,
        Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, -0f, Float.intBitsToFloat(0x7f800001), -0d, Double.MIN_VALUE,
        Double.longBitsToDouble(0x7ff0000000000001L), true, BigInteger.ZERO, BigInteger.ONE.shiftLeft(3_000).negate(),
        BigInteger.ONE.shiftLeft(63), BigDecimal.ZERO, new BigDecimal("0.00"), new BigDecimal("0E+10"), new BigDecimal("-1.10"),
        new BigDecimal(BigInteger.ONE.shiftLeft(400), Integer.MAX_VALUE), new BigDecimal(BigInteger.TEN, Integer.MIN_VALUE),
        new UUID(Long.MIN_VALUE, -1), new Date(Long.MIN_VALUE), new Date(Long.MAX_VALUE), bits, new BitSet(), new AtomicBoolean(true),
        new AtomicInteger(-1), new AtomicLong(Long.MIN_VALUE), adder, new StringBuilder("é\ud800\0"), new StringBuffer(),
        OptionalInt.of(-1), OptionalInt.empty(), OptionalLong.of(Long.MIN_VALUE), OptionalDouble.of(-0d), Optional.of("x"),
        Optional.empty(), Currency.getInstance("XXX"), URI.create(""), URI.create("mailto:a%20b"), URI.create("//h:1/%c3?q#f"),
        DayOfWeek.MONDAY, Size.SMALL, new byte[] {-1}, new short[] {-1}, new char[] {'\ud800'}, new int[] {Integer.MIN_VALUE},
        new long[] {Long.MIN_VALUE}, new float[] {-0f}, new double[] {Double.NaN}, new boolean[] {true, false}, new byte[0],
        new String[] {null, "x"}, new int[][] {{1}, null, {}}, new QName("u", "l", "p"), new QName("u}x", "l"), new QName("", "{x}l"),
        new QName("l"));
  }

  private static Stream<Object> times() {
    LocalDateTime twice = LocalDateTime.of(2026, 10, 25, 2, 30);
    return Stream.of(
        Duration.ofSeconds(Long.MIN_VALUE), Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), Duration.ofNanos(-1), Instant.MIN,
        Instant.MAX, Instant.ofEpochSecond(-1, 1), LocalDate.MIN, LocalDate.MAX, LocalDate.of(-1, 2, 28), LocalTime.MIN, LocalTime.MAX,
        LocalTime.of(1, 0, 0, 1), LocalTime.NOON, LocalDateTime.MIN, LocalDateTime.MAX, OffsetTime.MIN, OffsetTime.MAX,
        OffsetDateTime.MIN, OffsetDateTime.MAX, ZoneOffset.MIN, ZoneOffset.MAX, ZoneOffset.ofTotalSeconds(1), BERLIN, ZoneId.of("UTC"),
        ZoneId.of("UT-01:30:15"), Year.of(Year.MIN_VALUE), Year.of(Year.MAX_VALUE), Year.of(-1), YearMonth.of(Year.MIN_VALUE, 1),
        MonthDay.of(2, 29), Period.of(Integer.MIN_VALUE, -1, Integer.MAX_VALUE),
        ZonedDateTime.ofLocal(twice, BERLIN, ZoneOffset.ofHours(1)), ZonedDateTime.ofLocal(twice, BERLIN, ZoneOffset.ofHours(2)),
        ZonedDateTime.of(LocalDateTime.of(1800, 1, 1, 0, 0), BERLIN),
        ZonedDateTime.of(LocalDateTime.of(2026, 3, 29, 2, 30), BERLIN), ZonedDateTime.of(LocalDateTime.MIN, ZoneOffset.MAX),
        ZonedDateTime.of(LocalDateTime.MAX, ZoneId.of("UTC")), TimeZone.getTimeZone("UTC"), TimeZone.getTimeZone("America/St_Johns"),
        TimeZone.getTimeZone("GMT+5:30"));
  }

  private static Stream<Object> locales() {
    return Stream.of(
        Locale.ROOT, Locale.CHINA, new Locale("no", "NO", "NY"), new Locale("ja", "JP", "JP"), new Locale("th", "TH", "TH"),
        new Locale("en", "US", "POSIX"), new Locale("", "", "odd variant-of_its own"), new Locale("iw"), new Locale("und"),
        new Locale("averylonglanguage", "QQQQ"), Locale.forLanguageTag("zh-Hant-TW-x-private"),
        Locale.forLanguageTag("de-DE-u-co-phonebk-cu-eur"), Locale.forLanguageTag("sl-rozaj-biske-1994"),
        Locale.forLanguageTag("th-TH-u-nu-thai-x-lvariant-TH"), Locale.forLanguageTag("no-NO-x-lvariant-NY"),
        new Locale.Builder().setLanguage("sr").setScript("Latn").setExtension('a', "foo-bar").build());
  }

  private static Calendar calendar(TimeZone zone) {
    Calendar calendar = new GregorianCalendar(zone, Locale.GERMANY);
    calendar.setTimeInMillis(1_792_888_200_000L);
    return calendar;
  }

  private static Stream<Object> calendars() {
    Calendar set = calendar(TimeZone.getTimeZone(BERLIN));
    set.set(Calendar.MONTH, 14);
    Calendar strict = calendar(TimeZone.getTimeZone("UTC"));
    strict.setLenient(false);
    strict.setFirstDayOfWeek(Calendar.WEDNESDAY);
    strict.setMinimalDaysInFirstWeek(6);
    GregorianCalendar proleptic = new GregorianCalendar(1200, 1, 1);
    proleptic.setGregorianChange(new Date(Long.MIN_VALUE));
    Calendar early = calendar(TimeZone.getTimeZone("GMT-7"));
    early.setTimeInMillis(Long.MIN_VALUE);
    return Stream.of(calendar(TimeZone.getTimeZone(BERLIN)), set, strict, proleptic, early);
  }

  private static Stream<Object> xmlTimes() {
    Stream<String> texts = Stream.of(
        "2026-02-28T24:00:00", "2026-02-28T12:00:00.500", "2026-02-28T12:00:00.5000Z", "-0044-03-15", "12345678901234567890-01-01",
        "--02-29", "---31+14:00", "--12", "2026", "12:00:00.000000000001", "2026-10-25T02:30:00-00:00");
    XMLGregorianCalendar partial = DATATYPES.newXMLGregorianCalendar();
    partial.setYear(5);
    partial.setTimezone(60);
    return Stream.of(
            texts.map(DATATYPES::newXMLGregorianCalendar),
            Stream.of(
                DATATYPES.newXMLGregorianCalendar(), partial, DATATYPES.newDuration(0), DATATYPES.newDuration("P1Y"),
                DATATYPES.newDuration("-PT1.500S"), DATATYPES.newDuration("P0M"), DATATYPES.newDurationDayTime(-1_500),
                DATATYPES.newDurationYearMonth("-P1Y2M"),
                DATATYPES.newDuration(true, new BigInteger("99999999999999999999"), null, BigInteger.ZERO, null, null, null)))
        .flatMap(all -> all);
  }

  private static Stream<Object> containers() {
    Object[] cycle = new Object[3];
    cycle[0] = cycle;
    cycle[1] = new Date(5);
    cycle[2] = cycle[1];
    LinkedHashMap<Object, Object> byAccess = new LinkedHashMap<>(16, 0.75f, true);
    byAccess.put("a", new ArrayList<>(Arrays.asList(null, cycle)));
    byAccess.put("b", null);
    byAccess.get("a");
    EnumMap<Size, Object> enums = new EnumMap<>(Size.class);
    enums.put(Size.SMALL, null);
    PriorityQueue<Integer> queue = new PriorityQueue<>(List.of(5, 3, 9, 1, 7, 2));
    queue.poll();
    return Stream.of(
        cycle, byAccess, enums, new EnumMap<>(Size.class), new EnumMap<>(Map.of(DayOfWeek.SUNDAY, 1)), EnumSet.of(Size.SMALL),
        EnumSet.noneOf(DayOfWeek.class), new TreeMap<>(String.CASE_INSENSITIVE_ORDER), new TreeMap<>(Comparator.reverseOrder()), queue,
        new LinkedBlockingQueue<>(5), new ArrayDeque<>(List.of(1, 2)), Collections.synchronizedList(new ArrayList<>(List.of(1))),
        new AtomicReference<>("x"), List.of(), List.of(1), List.of(1, 2, 3), Stream.of(1).toList(), Stream.of(1, null, 3).toList(),
        Stream.empty().toList(), Arrays.asList(1, null));
  }

  static List<Object> values() {
    return Stream.of(basics(), times(), locales(), calendars(), xmlTimes(), containers()).flatMap(values -> values).toList();
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueIsRestoredAsByJava(Object value) throws Exception {
    Object restored = restored(value);
    if (!(value instanceof Serializable)) {
      // Optional
      assertEquals(value, restored);
      return;
    }
    Object expected = restoredByJava(value);
    assertEquals(expected.getClass(), restored.getClass());
    if (value instanceof BitSet || value instanceof Calendar || value.getClass() == Arrays.asList().getClass()) {
      // The rest is capacity, which fields have been computed, and the class of the array within.
      assertEquals(expected, restored);
    } else if (value instanceof javax.xml.datatype.Duration) {
      // The rest is how a number was computed.
      assertEquals(expected.toString(), restored.toString());
    } else if (value instanceof StringBuilder || value instanceof StringBuffer) {
      assertEquals(expected.toString(), restored.toString());
    } else {
      assertArrayEquals(serialized(expected), serialized(restored), () -> expected + " and " + restored);
    }
  }

  @Test
  void everyKnownClassHasAValue() {
    Set<Class<?>> classes = new HashSet<>();
    values().forEach(value -> classes.add(value.getClass()));
    List<String> missing =
        KnownTypes.ALL.types().stream()
            .filter(type -> !classes.contains(type) && !Comparator.class.isAssignableFrom(type))
            // CollectionsTableTest has them.
            .filter(type -> !Collection.class.isAssignableFrom(type) && !Map.class.isAssignableFrom(type))
            .map(Class::getName)
            .toList();
    assertEquals(List.of(), missing);
  }

  /** Java's own serialization fails here. */
  @Test
  void aDurationKeepsTheScaleOfItsSeconds() {
    Object duration = DATATYPES.newDuration(true, null, null, null, null, null, new BigDecimal("1E+3"));
    assertEquals(duration, restored(duration));
  }

  @Test
  void aCalendarIsRestoredWhateverTheDefaultLocale() {
    Locale before = Locale.getDefault();
    Calendar calendar = calendar(TimeZone.getTimeZone(BERLIN));
    try {
      Locale.setDefault(Locale.forLanguageTag("th-TH-u-ca-buddhist"));
      assertEquals(calendar, restored(calendar));
    } finally {
      Locale.setDefault(before);
    }
  }

  static List<Object> rejectedValues() {
    TimeZone moved = TimeZone.getTimeZone("Europe/Berlin");
    moved.setRawOffset(1_234_000);
    TimeZone renamed = TimeZone.getTimeZone("Europe/Berlin");
    renamed.setID("Mine");
    Calendar invalid = new GregorianCalendar(2026, 0, 31);
    invalid.setLenient(false);
    invalid.set(Calendar.MONTH, 14);
    return List.of(
        moved, renamed, new SimpleTimeZone(1, "Mine"), calendar(moved), calendar(new SimpleTimeZone(1, "Mine")), invalid,
        Calendar.getInstance(Locale.forLanguageTag("th-TH-u-ca-buddhist")),
        Calendar.getInstance(Locale.forLanguageTag("ja-JP-u-ca-japanese")),
        new java.sql.Timestamp(1), new java.sql.Date(1), new java.sql.Time(1), Pattern.compile("a", 2),
        java.nio.charset.StandardCharsets.UTF_8, new Properties(), new IdentityHashMap<>(), new WeakHashMap<>(), new DoubleAdder(),
        new TreeMap<>(Comparator.nullsFirst(Comparator.<String>naturalOrder())));
  }

  @ParameterizedTest
  @MethodSource("rejectedValues")
  void aValueThatCannotBeKeptIsRejectedWhenItIsCaptured(Object value) {
    String message = assertThrows(StateException.class, () -> restored(value)).getMessage();
    assertTrue(message.contains("State.any: "), message);
  }

  static class SimpleZone {
    @ReplicatedState SimpleTimeZone zone;
  }

  static class Timed {
    @ReplicatedState Map<String, java.sql.Timestamp> times;
  }

  @Test
  void aDeclaredTypeThatCannotBeKeptIsRejectedAtDeployment() {
    for (Class<?> type : List.of(SimpleZone.class, Timed.class)) {
      String message = assertThrows(StateException.class, () -> StateModel.of(type, StateRules.DEFAULTS)).getMessage();
      assertTrue(message.contains(type.getSimpleName() + "."), message);
    }
  }
}
