/** Sessions as replicated state: keys, records, and the serialized form of attributes. */
package org.understudy.session.record;
