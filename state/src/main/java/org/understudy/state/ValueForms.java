package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.xml.datatype.DatatypeConstants;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.Duration;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.namespace.QName;

/**
 * Forms of values of the JDK of which the library, or their texts, keep less than Java serialization does. A value that its form
 * cannot keep is rejected when it is written.
 */
final class ValueForms {
  private ValueForms() {}

  private static BigInteger integer(String text) {
    return text == null ? null : new BigInteger(text);
  }

  private static BigDecimal decimal(String text) {
    return text == null ? null : new BigDecimal(text);
  }

  /** With its offset, which decides in an hour that comes twice. */
  static final class OfZonedDateTime extends Serializer<ZonedDateTime> {
    @Override
    public void write(Kryo kryo, Output output, ZonedDateTime time) {
      output.writeLong(time.toLocalDateTime().toEpochSecond(ZoneOffset.UTC));
      output.writeInt(time.getNano());
      output.writeInt(time.getOffset().getTotalSeconds());
      output.writeString(time.getZone().getId());
    }

    @Override
    public ZonedDateTime read(Kryo kryo, Input input, Class<? extends ZonedDateTime> type) {
      LocalDateTime local = LocalDateTime.ofEpochSecond(input.readLong(), input.readInt(), ZoneOffset.UTC);
      ZoneOffset offset = ZoneOffset.ofTotalSeconds(input.readInt());
      return ZonedDateTime.ofInstant(local, offset, ZoneId.of(input.readString()));
    }
  }

  /** With its prefix. */
  static final class OfQName extends Serializer<QName> {
    @Override
    public void write(Kryo kryo, Output output, QName name) {
      output.writeString(name.getNamespaceURI());
      output.writeString(name.getLocalPart());
      output.writeString(name.getPrefix());
    }

    @Override
    public QName read(Kryo kryo, Input input, Class<? extends QName> type) {
      return new QName(input.readString(), input.readString(), input.readString());
    }
  }

  /** Its parts, or its tag where it has others: some locales have no tag of their own, and some cannot be made of parts. */
  static final class OfLocale extends Serializer<Locale> {
    @Override
    public void write(Kryo kryo, Output output, Locale locale) {
      boolean parts = new Locale(locale.getLanguage(), locale.getCountry(), locale.getVariant()).equals(locale);
      output.writeBoolean(parts);
      if (parts) {
        output.writeString(locale.getLanguage());
        output.writeString(locale.getCountry());
        output.writeString(locale.getVariant());
      } else if (Locale.forLanguageTag(locale.toLanguageTag()).equals(locale)) {
        output.writeString(locale.toLanguageTag());
      } else {
        throw new StateException("a java.util.Locale differs from the locale of its own language tag. Use one that has a tag.");
      }
    }

    @Override
    public Locale read(Kryo kryo, Input input, Class<? extends Locale> type) {
      return input.readBoolean()
          ? new Locale(input.readString(), input.readString(), input.readString())
          : Locale.forLanguageTag(input.readString());
    }
  }

  /** The name of a time zone of Java, whose rules are those of the reader. */
  static final class OfTimeZone extends Serializer<TimeZone> {
    @Override
    public void write(Kryo kryo, Output output, TimeZone zone) {
      if (!zone.equals(TimeZone.getTimeZone(zone.getID()))) {
        throw new StateException(
            "a " + zone.getClass().getName() + " has other rules than Java's time zone of the same name. Use TimeZone.getTimeZone and do "
                + "not change what it returns.");
      }
      output.writeString(zone.getID());
    }

    @Override
    public TimeZone read(Kryo kryo, Input input, Class<? extends TimeZone> type) {
      return TimeZone.getTimeZone(input.readString());
    }
  }

  /** All that a calendar is compared by. Fields that were set are computed, as by {@link GregorianCalendar#getTime}. */
  @SuppressWarnings("JavaUtilDate") // A calendar has its change as a Date.
  static final class OfCalendar extends Serializer<GregorianCalendar> {
    private final OfTimeZone zones = new OfTimeZone();

    @Override
    public void write(Kryo kryo, Output output, GregorianCalendar calendar) {
      try {
        output.writeLong(calendar.getTimeInMillis());
      } catch (IllegalArgumentException e) {
        throw new StateException("a java.util.GregorianCalendar that is not lenient has an invalid field: " + e.getMessage() + ".");
      }
      output.writeLong(calendar.getGregorianChange().getTime());
      output.writeInt(calendar.getFirstDayOfWeek());
      output.writeInt(calendar.getMinimalDaysInFirstWeek());
      output.writeBoolean(calendar.isLenient());
      zones.write(kryo, output, calendar.getTimeZone());
    }

    @Override
    public GregorianCalendar read(Kryo kryo, Input input, Class<? extends GregorianCalendar> type) {
      long time = input.readLong();
      Date change = new Date(input.readLong());
      int firstDay = input.readInt();
      int minimalDays = input.readInt();
      boolean lenient = input.readBoolean();
      // Calendar.getInstance would return another class in some locales.
      GregorianCalendar made = new GregorianCalendar(zones.read(kryo, input, TimeZone.class), Locale.ROOT);
      made.setGregorianChange(change);
      made.setTimeInMillis(time);
      made.setFirstDayOfWeek(firstDay);
      made.setMinimalDaysInFirstWeek(minimalDays);
      made.setLenient(lenient);
      return made;
    }
  }

  /** Field by field: a text exists for some combinations of fields only. */
  static final class OfXmlCalendar extends Serializer<XMLGregorianCalendar> {
    private final DatatypeFactory factory = DatatypeFactory.newDefaultInstance();

    @Override
    public void write(Kryo kryo, Output output, XMLGregorianCalendar calendar) {
      BigInteger year = calendar.getEonAndYear();
      output.writeString(year == null ? null : year.toString());
      output.writeInt(calendar.getMonth());
      output.writeInt(calendar.getDay());
      output.writeInt(calendar.getHour());
      output.writeInt(calendar.getMinute());
      output.writeInt(calendar.getSecond());
      BigDecimal fraction = calendar.getFractionalSecond();
      output.writeString(fraction == null ? null : fraction.toString());
      output.writeInt(calendar.getTimezone());
    }

    @Override
    public XMLGregorianCalendar read(Kryo kryo, Input input, Class<? extends XMLGregorianCalendar> type) {
      XMLGregorianCalendar made = factory.newXMLGregorianCalendar();
      made.setYear(integer(input.readString()));
      made.setMonth(input.readInt());
      made.setDay(input.readInt());
      made.setHour(input.readInt());
      made.setMinute(input.readInt());
      made.setSecond(input.readInt());
      made.setFractionalSecond(decimal(input.readString()));
      made.setTimezone(input.readInt());
      return made;
    }
  }

  /** Field by field: the text loses the scale of seconds, and some values have none. */
  static final class OfXmlDuration extends Serializer<Duration> {
    private final DatatypeFactory factory = DatatypeFactory.newDefaultInstance();
    private final UnaryOperator<Duration> kind;

    /** @param kind returns an equal duration of the class of the form */
    OfXmlDuration(UnaryOperator<Duration> kind) {
      this.kind = kind;
    }

    @Override
    public void write(Kryo kryo, Output output, Duration duration) {
      output.writeBoolean(duration.getSign() >= 0);
      Stream.of(
              DatatypeConstants.YEARS, DatatypeConstants.MONTHS, DatatypeConstants.DAYS, DatatypeConstants.HOURS,
              DatatypeConstants.MINUTES, DatatypeConstants.SECONDS)
          .map(duration::getField)
          .forEach(value -> output.writeString(value == null ? null : value.toString()));
    }

    @Override
    public Duration read(Kryo kryo, Input input, Class<? extends Duration> type) {
      return kind.apply(factory.newDuration(
          input.readBoolean(), integer(input.readString()), integer(input.readString()), integer(input.readString()),
          integer(input.readString()), integer(input.readString()), decimal(input.readString())));
    }
  }
}
