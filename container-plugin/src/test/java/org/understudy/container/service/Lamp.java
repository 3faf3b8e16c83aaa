package org.understudy.container.service;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import javax.xml.namespace.QName;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.property.ResourceProperties;
import org.understudy.replication.api.property.ResourceProperty;

/** The state of a lamp: properties of many types. */
@ResourceProperties(namespace = "urn:lamps", document = "Lamp")
public final class Lamp implements StateCapture {
  /** What a lamp can do. */
  public enum Mode {
    STEADY,
    BLINKING
  }

  private int level;
  private String owner;
  private Mode mode = Mode.STEADY;
  private Duration period = Duration.ofMillis(1_500);
  private Instant serviced = Instant.EPOCH;
  private QName kind = new QName("urn:kinds", "desk");
  private boolean locked;
  private double warmth = 0.5;
  private List<String> tags = new ArrayList<>();

  int brighten(int by) {
    level += by;
    return level;
  }

  @ResourceProperty
  public int getLevel() {
    return level;
  }

  public void setLevel(int level) {
    if (level > 100) {
      throw new IllegalArgumentException("100 is the brightest.");
    }
    this.level = level;
  }

  @ResourceProperty
  public String getOwner() {
    return owner;
  }

  public void setOwner(String owner) {
    this.owner = owner;
  }

  @ResourceProperty
  Mode mode() {
    return mode;
  }

  void setMode(Mode mode) {
    this.mode = mode;
  }

  @ResourceProperty
  public Duration getPeriod() {
    return period;
  }

  public void setPeriod(Duration period) {
    this.period = period;
  }

  @ResourceProperty("LastService")
  public Instant getServiced() {
    return serviced;
  }

  public void setServiced(Instant serviced) {
    this.serviced = serviced;
  }

  @ResourceProperty
  public QName getKind() {
    return kind;
  }

  public void setKind(QName kind) {
    this.kind = kind;
  }

  @ResourceProperty
  public boolean isLocked() {
    return locked;
  }

  public void setLocked(boolean locked) {
    this.locked = locked;
  }

  @ResourceProperty
  public double getWarmth() {
    return warmth;
  }

  public void setWarmth(double warmth) {
    this.warmth = warmth;
  }

  @ResourceProperty("Tag")
  public List<String> getTags() {
    return tags;
  }

  public void setTags(List<String> tags) {
    this.tags = tags;
  }

  /** Nobody sets it. */
  @ResourceProperty
  public String getMaker() {
    return "Bulb & Sons";
  }

  /** Its setter never works. */
  @ResourceProperty
  public int getFuse() {
    return 6;
  }

  public void setFuse(int fuse) {
    throw new IllegalStateException("blown");
  }

  @Override
  public byte[] captureState() {
    Properties all = new Properties();
    all.setProperty("level", Integer.toString(level));
    if (owner != null) {
      all.setProperty("owner", owner);
    }
    all.setProperty("mode", mode.name());
    all.setProperty("period", period.toString());
    all.setProperty("serviced", serviced.toString());
    all.setProperty("kind", kind.toString());
    all.setProperty("locked", Boolean.toString(locked));
    all.setProperty("warmth", Double.toString(warmth));
    all.setProperty("tags", String.join("\n", tags));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      all.store(out, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void restoreState(byte[] state) {
    Properties all = new Properties();
    try {
      all.load(new ByteArrayInputStream(state));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    level = Integer.parseInt(all.getProperty("level"));
    owner = all.getProperty("owner");
    mode = Mode.valueOf(all.getProperty("mode"));
    period = Duration.parse(all.getProperty("period"));
    serviced = Instant.parse(all.getProperty("serviced"));
    kind = QName.valueOf(all.getProperty("kind"));
    locked = Boolean.parseBoolean(all.getProperty("locked"));
    warmth = Double.parseDouble(all.getProperty("warmth"));
    String joined = all.getProperty("tags");
    tags = joined.isEmpty() ? new ArrayList<>() : new ArrayList<>(List.of(joined.split("\n")));
  }
}
