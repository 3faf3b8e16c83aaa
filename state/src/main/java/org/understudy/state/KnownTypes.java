package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultArraySerializers;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.OptionalSerializers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
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
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;

/**
 * Classes of the JDK that every state may contain, in the order of their numbers in captured states. References to one value become
 * separate equal values in a restored state.
 */
final class KnownTypes {
  /** Factories of the serializers, by class. */
  private final Map<Class<?>, Supplier<Serializer<?>>> serializers = new LinkedHashMap<>();
  private final Set<Class<?>> values = new HashSet<>();

  static final KnownTypes ALL = new KnownTypes();

  private KnownTypes() {
    addBasics();
    addTimes();
    addTexts();
    addCollections();
    addSorted();
    addMaps();
    addImmutables();
    addHolders();
    addDurations();
  }

  private void value(Class<?> type, Supplier<Serializer<?>> serializer) {
    values.add(type);
    serializers.put(type, serializer);
  }

  private void add(Class<?> type, Supplier<Serializer<?>> serializer) {
    serializers.put(type, serializer);
  }

  private void addBasics() {
    value(String.class, DefaultSerializers.StringSerializer::new);
    value(Boolean.class, DefaultSerializers.BooleanSerializer::new);
    value(Byte.class, DefaultSerializers.ByteSerializer::new);
    value(Short.class, DefaultSerializers.ShortSerializer::new);
    value(Character.class, DefaultSerializers.CharSerializer::new);
    value(Integer.class, DefaultSerializers.IntSerializer::new);
    value(Long.class, DefaultSerializers.LongSerializer::new);
    value(Float.class, DefaultSerializers.FloatSerializer::new);
    value(Double.class, DefaultSerializers.DoubleSerializer::new);
    value(BigInteger.class, DefaultSerializers.BigIntegerSerializer::new);
    value(BigDecimal.class, DefaultSerializers.BigDecimalSerializer::new);
    value(UUID.class, DefaultSerializers.UUIDSerializer::new);
    add(Date.class, DefaultSerializers.DateSerializer::new);
    add(GregorianCalendar.class, ValueForms.OfCalendar::new);
    add(BitSet.class, DefaultSerializers.BitSetSerializer::new);
    add(byte[].class, DefaultArraySerializers.ByteArraySerializer::new);
    add(short[].class, DefaultArraySerializers.ShortArraySerializer::new);
    add(char[].class, DefaultArraySerializers.CharArraySerializer::new);
    add(int[].class, DefaultArraySerializers.IntArraySerializer::new);
    add(long[].class, DefaultArraySerializers.LongArraySerializer::new);
    add(float[].class, DefaultArraySerializers.FloatArraySerializer::new);
    add(double[].class, DefaultArraySerializers.DoubleArraySerializer::new);
    add(boolean[].class, DefaultArraySerializers.BooleanArraySerializer::new);
    add(AtomicBoolean.class, DefaultSerializers.AtomicBooleanSerializer::new);
    add(AtomicInteger.class, DefaultSerializers.AtomicIntegerSerializer::new);
    add(AtomicLong.class, DefaultSerializers.AtomicLongSerializer::new);
    add(StringBuilder.class, DefaultSerializers.StringBuilderSerializer::new);
    add(StringBuffer.class, DefaultSerializers.StringBufferSerializer::new);
    value(OptionalInt.class, OptionalSerializers.OptionalIntSerializer::new);
    value(OptionalLong.class, OptionalSerializers.OptionalLongSerializer::new);
    value(OptionalDouble.class, OptionalSerializers.OptionalDoubleSerializer::new);
  }

  private void addTimes() {
    List<Class<?>> times =
        List.of(
            Duration.class, Instant.class, LocalDate.class, LocalTime.class, LocalDateTime.class, OffsetTime.class,
            OffsetDateTime.class, ZonedDateTime.class, ZoneOffset.class, ZoneId.of("Europe/Rome").getClass(), Year.class,
            YearMonth.class, MonthDay.class, Period.class);
    for (Class<?> time : times) {
      // Serializers of the library, but for one.
      value(time, () -> time == ZonedDateTime.class ? new ValueForms.OfZonedDateTime() : null);
    }
    add(TimeZone.getTimeZone("UTC").getClass(), ValueForms.OfTimeZone::new);
  }

  private void addTexts() {
    text(URI.class, URI::create);
    text(Currency.class, Currency::getInstance);
    value(QName.class, ValueForms.OfQName::new);
    value(Locale.class, ValueForms.OfLocale::new);
    DatatypeFactory datatypes = DatatypeFactory.newDefaultInstance();
    add(datatypes.newXMLGregorianCalendar().getClass(), ValueForms.OfXmlCalendar::new);
    add(datatypes.newDuration(0L).getClass(), () -> new ValueForms.OfXmlDuration(made -> made));
  }

  private <T> void text(Class<T> type, Function<String, ? extends T> parse) {
    value(type, () -> new ContainerForms.Text<>(Object::toString, parse::apply));
  }

  @SuppressWarnings("JdkObsolete") // Services hold them.
  private void addCollections() {
    collection(ArrayList::new);
    collection(LinkedList::new);
    collection(Vector::new);
    collection(HashSet::new);
    collection(LinkedHashSet::new);
    collection(ArrayDeque::new);
    collection(CopyOnWriteArrayList::new);
    collection(CopyOnWriteArraySet::new);
    collection(ConcurrentLinkedQueue::new);
    collection(ConcurrentLinkedDeque::new);
    collection(Trait.capacity(), capacity -> capacity == null ? new LinkedBlockingQueue<>() : new LinkedBlockingQueue<>(capacity));
    collection(Trait.capacity(), capacity -> capacity == null ? new LinkedBlockingDeque<>() : new LinkedBlockingDeque<>(capacity));
    collection(Trait.noView(), none -> ConcurrentHashMap.newKeySet());
    collection(() -> Collections.synchronizedList(new ArrayList<>()));
    collection(
        Trait.orderOfSynchronizedSet(),
        order -> Collections.synchronizedSet(order == null ? new LinkedHashSet<>() : new TreeSet<>(order)));
    collection(Trait.noSet(), none -> Collections.synchronizedCollection(new ArrayList<>()));
    add(EnumSet.class, DefaultSerializers.EnumSetSerializer::new);
  }

  private void collection(Supplier<Collection<Object>> empty) {
    collection(null, none -> empty.get());
  }

  /** @param empty also called with null */
  private <P> void collection(Trait<Collection<Object>, P> trait, Function<P, Collection<Object>> empty) {
    add(empty.apply(null).getClass(), () -> new ContainerForms.OfCollection<>(trait, empty));
  }

  private void addSorted() {
    collection(Trait.orderOfSet(), TreeSet::new);
    collection(Trait.orderOfSet(), ConcurrentSkipListSet::new);
    collection(Trait.orderOfQueue(), order -> new PriorityQueue<>(11, order));
    map(Trait.orderOfMap(), TreeMap::new);
    map(Trait.orderOfMap(), ConcurrentSkipListMap::new);
    constant(Comparator.naturalOrder());
    constant(Comparator.reverseOrder());
    constant(String.CASE_INSENSITIVE_ORDER);
  }

  private void constant(Object one) {
    add(one.getClass(), () -> new ContainerForms.Constant(one));
  }

  @SuppressWarnings("JdkObsolete") // Services hold them.
  private void addMaps() {
    map(HashMap::new);
    map(Trait.accessOrder(), access -> new LinkedHashMap<>(16, 0.75f, access != null && access));
    map(Hashtable::new);
    map(ConcurrentHashMap::new);
    map(
        Trait.orderOfSynchronizedMap(),
        order -> Collections.synchronizedMap(order == null ? new LinkedHashMap<>() : new TreeMap<>(order)));
  }

  private void map(Supplier<Map<Object, Object>> empty) {
    map(null, none -> empty.get());
  }

  /** @param empty also called with null */
  private <P> void map(Trait<Map<Object, Object>, P> trait, Function<P, Map<Object, Object>> empty) {
    add(empty.apply(null).getClass(), () -> new ContainerForms.OfMap<>(trait, empty));
  }

  private void addImmutables() {
    constant(Collections.emptyList());
    constant(Collections.emptySet());
    constant(Collections.emptyMap());
    immutable(Collections.singletonList(0), KnownTypes::elements, elements -> Collections.singletonList(elements[0]));
    immutable(Collections.singleton(0), KnownTypes::elements, elements -> Collections.singleton(elements[0]));
    immutable(Arrays.asList(0), KnownTypes::elements, Arrays::asList);
    immutable(List.of(0), KnownTypes::elements, List::of);
    immutable(List.of(), KnownTypes::elementsAndNulls, KnownTypes::list);
    hashed(Set.of(0), KnownTypes::elements, Set::of, 1);
    hashed(Set.of(), KnownTypes::elements, Set::of, 1);
    immutable(Collections.singletonMap(0, 0), KnownTypes::flat, elements -> Collections.singletonMap(elements[0], elements[1]));
    hashed(Map.of(0, 0), KnownTypes::flat, KnownTypes::map, 2);
    hashed(Map.of(), KnownTypes::flat, KnownTypes::map, 2);
  }

  private <T> void immutable(Object sample, Function<T, Object[]> elements, Function<Object[], Object> constructor) {
    hashed(sample, elements, constructor, 0);
  }

  @SuppressWarnings("unchecked") // The class of the sample is that of all objects that the serializer gets.
  private <T> void hashed(Object sample, Function<T, Object[]> elements, Function<Object[], Object> constructor, int hashed) {
    add(sample.getClass(), () -> new ContainerForms.Immutable<>(elements, read -> (T) constructor.apply(read), hashed));
  }

  private static Object[] elements(Collection<?> collection) {
    return collection.toArray();
  }

  /** Returns the elements, and whether the list is one of a stream, which permits null and may be asked for it. */
  private static Object[] elementsAndNulls(List<?> list) {
    Object[] all = Arrays.copyOf(list.toArray(), list.size() + 1);
    // A list without null elements that List.of has made is its own copy.
    all[list.size()] = list.stream().anyMatch(Objects::isNull) || List.copyOf(list) != list;
    return all;
  }

  private static List<?> list(Object[] elementsAndNulls) {
    int size = elementsAndNulls.length - 1;
    if (size < 0) {
      throw new StateException("the captured state is damaged: a list lacks its kind.");
    }
    Object[] elements = Arrays.copyOf(elementsAndNulls, size);
    return Boolean.TRUE.equals(elementsAndNulls[size]) ? Arrays.stream(elements).toList() : List.of(elements);
  }

  private static Object[] flat(Map<?, ?> map) {
    List<Object> flat = new ArrayList<>(2 * map.size());
    map.forEach((key, value) -> {
      flat.add(key);
      flat.add(value);
    });
    return flat.toArray();
  }

  private static Map<Object, Object> map(Object[] flat) {
    Map<Object, Object> read = new HashMap<>();
    for (int i = 0; i + 1 < flat.length; i += 2) {
      read.put(flat[i], flat[i + 1]);
    }
    return Map.copyOf(read);
  }

  private void addHolders() {
    add(AtomicReference.class, ContainerForms.OfReference::new);
    add(Optional.class, () -> new ContainerForms.Immutable<Optional<?>>(
        one -> one.isPresent() ? new Object[] {one.get()} : new Object[0],
        read -> read.length == 0 ? Optional.empty() : Optional.of(read[0])));
    add(LongAdder.class, AdderForm::new);
  }

  /** Last, because the numbers of the others stay. */
  private void addDurations() {
    DatatypeFactory datatypes = DatatypeFactory.newDefaultInstance();
    add(
        datatypes.newDurationDayTime(0L).getClass(),
        () -> new ValueForms.OfXmlDuration(made -> datatypes.newDurationDayTime(made.toString())));
    add(
        datatypes.newDurationYearMonth(0L).getClass(),
        () -> new ValueForms.OfXmlDuration(made -> datatypes.newDurationYearMonth(made.toString())));
  }

  /** Whether objects of the class are values, for which identity does not matter. */
  boolean isValue(Class<?> type) {
    return values.contains(type);
  }

  /** Whether objects of exactly this class can be captured, if their content can. */
  boolean contains(Class<?> type) {
    return serializers.containsKey(type);
  }

  /** Returns all known classes. */
  Set<Class<?>> types() {
    return Collections.unmodifiableSet(serializers.keySet());
  }

  /** Whether a field of this type holds only known classes: an interface of collections, or a type that only the JDK extends. */
  boolean covers(Class<?> type) {
    if (contains(type)) {
      return true;
    }
    boolean container = Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || type == Iterable.class;
    boolean abstractOne = type == Number.class || type == CharSequence.class || type == ZoneId.class || type == TimeZone.class
        || type == java.util.Calendar.class || type == javax.xml.datatype.XMLGregorianCalendar.class
        || type == javax.xml.datatype.Duration.class;
    return abstractOne || (container && isOfJdk(type) && serializers.keySet().stream().anyMatch(type::isAssignableFrom));
  }

  static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }

  /** Registers all classes in order. */
  void register(Kryo kryo) {
    serializers.forEach((type, supplier) -> {
      Serializer<?> serializer = supplier.get();
      kryo.register(type, serializer == null ? kryo.getDefaultSerializer(type) : serializer);
    });
  }

  /** A LongAdder, captured as its sum. */
  private static final class AdderForm extends Serializer<LongAdder> {
    @Override
    public void write(Kryo kryo, Output output, LongAdder adder) {
      output.writeVarLong(adder.sum(), false);
    }

    @Override
    public LongAdder read(Kryo kryo, Input input, Class<? extends LongAdder> type) {
      LongAdder made = new LongAdder();
      made.add(input.readVarLong(false));
      return made;
    }
  }
}
