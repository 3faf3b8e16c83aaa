/** Services with a part of their state in a database. */
package org.understudy.container.database;
