import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

import com.sun.management.OperatingSystemMXBean;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

/**
 * k-anonymity by ARX with local recoding; needs no Sottovoce.
 *
 * java -cp ARX ArxPeer.java TABLE.csv HIERARCHIES K OUT.csv: prints the processor's seconds, twice, the second
 * time with compiled code.
 */
public class ArxPeer {
    public static void main(String[] given) throws Exception {
        OperatingSystemMXBean processor = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int time = 0; time < 2; time++) {
            Data data = Data.create(given[0], StandardCharsets.UTF_8, ',');
            DataHandle input = data.getHandle();
            int last = input.getNumColumns() - 1;
            for (int column = 0; column < last; column++) {
                String name = input.getAttributeName(column);
                File tree = new File(given[1], "h_" + name + ".csv");
                Hierarchy levels = Hierarchy.create(tree, StandardCharsets.UTF_8, ';');
                data.getDefinition().setAttributeType(name, levels);
            }
            data.getDefinition().setAttributeType(input.getAttributeName(last), AttributeType.INSENSITIVE_ATTRIBUTE);
            ARXConfiguration wanted = ARXConfiguration.create();
            wanted.addPrivacyModel(new KAnonymity(Integer.parseInt(given[2])));
            wanted.setSuppressionLimit(0.99d);
            wanted.setQualityModel(Metric.createLossMetric(0d));
            long begun = processor.getProcessCpuTime();
            ARXResult found = new ARXAnonymizer().anonymize(data, wanted);
            DataHandle output = found.getOutput();
            found.optimizeIterativeFast(output, 0.001d);
            long ended = processor.getProcessCpuTime();
            output.save(given[3], ',');
            System.out.println((ended - begun) / 1e9);
        }
    }
}
