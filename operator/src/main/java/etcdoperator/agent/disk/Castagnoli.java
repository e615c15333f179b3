package etcdoperator.agent.disk;

/** CRC-32C that goes on from any sum, as etcd's log does from file to file; Java's own begins at zero only. */
final class Castagnoli {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int[] TABLE = table();

    private Castagnoli() {}

    static int update(int sum, byte[] bytes) {
        int crc = ~sum;
        for (byte each : bytes) {
            crc = TABLE[(crc ^ each) & 0xff] ^ (crc >>> 8);
        }
        return ~crc;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
            }
            table[i] = crc;
        }
        return table;
    }
}
