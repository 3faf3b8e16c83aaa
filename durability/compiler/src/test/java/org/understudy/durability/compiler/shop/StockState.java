package org.understudy.durability.compiler.shop;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The items in memory. */
public final class StockState implements Stock {
  private final Map<String, Item> items = new TreeMap<>();

  @Override
  public boolean add(Item item) {
    Item before = items.get(item.name());
    items.put(item.name(), before == null ? item : new Item(item.name(), before.count() + item.count(), before.kind()));
    return before == null;
  }

  @Override
  public void add(String name, int count) {
    add(new Item(name, count, Item.Kind.DRY));
  }

  @Override
  public void take(String name, int count) throws OutOfStock {
    Item item = items.get(name);
    if (item == null || item.count() < count) {
      throw new OutOfStock("The shop has not " + count + " " + name + ".");
    }
    items.put(name, new Item(name, item.count() - count, item.kind()));
  }

  @Override
  public Item remove(String name) {
    return items.remove(name);
  }

  @Override
  public int count(String name) {
    return items.containsKey(name) ? items.get(name).count() : 0;
  }

  @Override
  public List<String> names() {
    return new ArrayList<>(items.keySet());
  }

  /** Fills a new stock. */
  public void open(String first, long count) {
    add(first, (int) count);
  }

  /** The whole state in a form of its own. */
  public byte[] toBytes() {
    StringBuilder text = new StringBuilder();
    items.values().forEach(item -> text.append(item.name()).append('=').append(item.count()).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Replaces the whole state. */
  public void fromBytes(byte[] bytes) {
    items.clear();
    new String(bytes, StandardCharsets.UTF_8).lines()
        .forEach(line -> add(line.substring(0, line.indexOf('=')), Integer.parseInt(line.substring(line.indexOf('=') + 1))));
  }
}
