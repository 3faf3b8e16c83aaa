/** The database of a service's database objects: settings, connections, transactions, decisions and the epoch that fences old primaries. */
package org.understudy.durability.database;
